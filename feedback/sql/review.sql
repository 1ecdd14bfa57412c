-- Writes what reviews have made of memories: uses, last use (only where it was used), stability.
update memory_stats s set
  uses = s.uses + x.uses,
  last_used_at = case when x.uses > 0 then greatest(s.last_used_at, %(now)s::timestamptz) else s.last_used_at end,
  stability_days = x.stability
from unnest(%(keys)s::bigint[], %(uses)s::int[], %(stability)s::real[]) x(key, uses, stability)
where s.bank_id = %(bank)s and s.key = x.key
