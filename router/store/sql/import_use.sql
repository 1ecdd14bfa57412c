-- Gives memories the counters they had.
update memory_stats t set recalls = x.recalls, uses = x.uses, last_used_at = x.last_used_at,
  stability_days = x.stability_days
from unnest(%(ids)s::text[], %(recalls)s::int[], %(uses)s::int[], %(last_used)s::timestamptz[],
            %(stability)s::real[]) x(id, recalls, uses, last_used_at, stability_days)
join memories m on m.bank_id = %(bank)s and m.id = x.id
where t.bank_id = %(bank)s and t.key = m.key
  and (t.recalls, t.uses, t.last_used_at, t.stability_days)
      is distinct from (x.recalls, x.uses, x.last_used_at, x.stability_days)
