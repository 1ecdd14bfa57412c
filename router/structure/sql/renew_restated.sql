-- Lets open copies of the past name what is current in its place now.
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
update proposals p set newer = h.key
from heads h
where p.bank_id = %(bank)s and p.about = h.base and h.place = 1 and p.rule = 'restates_superseded' and p.state = 'open'
  and h.key not in (p.older, p.newer)
  and not exists (select from proposals q where q.bank_id = %(bank)s and q.older = p.older and q.newer = h.key)
