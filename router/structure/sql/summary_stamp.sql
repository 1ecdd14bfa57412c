-- Says of memories which period each sums up, and what it said when it was made.
with stamped as (
  update memories m set period = x.period
  from unnest(%(keys)s::bigint[], %(periods)s::text[]) x(key, period)
  where m.bank_id = %(bank)s and m.key = x.key and m.period is distinct from x.period
)
insert into summaries (bank_id, period, starts, key, made_hash, source_hash, members, at)
select %(bank)s, x.period, x.starts, x.key, x.hash, x.source, x.members, %(now)s
from unnest(%(keys)s::bigint[], %(periods)s::text[], %(starts)s::date[], %(hashes)s::bytea[], %(sources)s::bytea[],
            %(members)s::int[]) x(key, period, starts, hash, source, members)
on conflict (bank_id, period, starts) do update set key = excluded.key, made_hash = excluded.made_hash,
  source_hash = excluded.source_hash,  is_stale = false, members = excluded.members, at = excluded.at
