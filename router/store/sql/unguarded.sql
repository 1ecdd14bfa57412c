-- Those of the tables that row security does not bind, or that are not there.
select t.name
from unnest(%(tables)s::text[]) t(name)
left join pg_class c on c.oid = to_regclass(t.name)
where not coalesce(c.relrowsecurity and c.relforcerowsecurity
                   and exists (select from pg_policy p where p.polrelid = c.oid), false)
order by 1
