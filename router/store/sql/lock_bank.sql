-- Writers of one bank take turns until their transaction ends; readers are not held up.
select pg_advisory_xact_lock(1179010630, %(bank)s)
