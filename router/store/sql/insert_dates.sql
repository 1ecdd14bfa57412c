-- Intervals named in the texts of memories.
insert into memory_dates (bank_id, key, starts, ends)
select %(bank)s, x.key, x.starts, x.ends
from unnest(%(keys)s::bigint[], %(starts)s::timestamptz[], %(ends)s::timestamptz[]) x(key, starts, ends)
on conflict do nothing
