-- Vector columns that may leave their row: 'm' keeps them inline.
select c.relname || '.' || a.attname
from pg_attribute a join pg_class c on c.oid = a.attrelid
where a.attstorage <> 'm'
  and ((a.attrelid = to_regclass('memories') and a.attname in ('embedding', 'affect'))
       or (a.attrelid = to_regclass('episodes') and a.attname in ('mean', 'vector_sum')))
order by 1
