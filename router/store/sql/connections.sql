-- Connections the server allows to us, and how many others hold.
select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
       (select count(*)::int from pg_stat_activity
        where backend_type = 'client backend' and not starts_with(coalesce(application_name, ''), 'fivefold'))
