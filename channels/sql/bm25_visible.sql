-- The first visible of memories given best first: key.
select c.key
from unnest(%(keys)s::bigint[]) with ordinality c(key, place)
cross join lateral (
  select from memories m where m.bank_id = %(bank)s and m.key = c.key and /* visible */ limit 1
) v
order by c.place limit %(limit)s
