-- Writes what memories are without the reviews that were taken back.
update memory_stats s set uses = x.uses, last_used_at = x.last_used_at, stability_days = x.stability
from unnest(%(keys)s::bigint[], %(uses)s::int[], %(used)s::timestamptz[], %(stability)s::real[])
  x(key, uses, last_used_at, stability)
where s.bank_id = %(bank)s and s.key = x.key
