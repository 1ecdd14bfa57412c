-- Entities by how many memories mention them, the most first: key, name, kind, mentions in any state; then of the
-- memories in the state asked for: how many, first and last time.
select n.entity, n.name, n.kind, n.df, x.memories, x.first, x.last
from (
  select e.entity, e.name, e.kind, e.df from entities e
  where e.bank_id = %(bank)s and e.df > 0
    and (%(prefix)s::text is null or starts_with(lower(e.name), lower(%(prefix)s::text)))
    and (%(kind)s::text is null or e.kind = %(kind)s::text)
    and (%(before)s::int is null or (e.df, -e.entity::numeric) < (%(before)s::int, -%(after)s::numeric))
  order by e.df desc, e.entity
  limit %(limit)s
) n
cross join lateral (
  select count(*) as memories, min(m.happened) as first, max(coalesce(m.happened_end, m.happened)) as last
  from memory_entities k
  join memories m on m.bank_id = %(bank)s and m.key = k.key
  where k.bank_id = %(bank)s and k.entity = n.entity
    and (%(state)s = 'all' or (m.expired_at is null) = (%(state)s = 'current'))
) x
order by n.df desc, n.entity
