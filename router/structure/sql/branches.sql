-- Where superseded ones of the given memories end in several current ones: the other head, the latest head, and the
-- first of the memories that both stand in for.
with recursive up as (
  select m.key as base, m.key from memories m
  where m.bank_id = %(bank)s and m.key = any(%(keys)s::bigint[]) and m.expired_at is not null
  union
  select u.base, e.src
  from up u join edges e on e.bank_id = %(bank)s and e.dst = u.key and e.type = 'SUPERSEDES'
),
heads as (
  select u.base, h.key, row_number() over (
    partition by u.base order by coalesce(h.valid_at, h.happened, h.created_at) desc, h.key desc) as place
  from up u join memories h on h.bank_id = %(bank)s and h.key = u.key and h.expired_at is null
)
select o.key, l.key, min(o.base)
from heads o join heads l on l.base = o.base and l.place = 1
where o.place > 1
group by o.key, l.key
order by o.key, l.key
