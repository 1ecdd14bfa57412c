-- What is current in the place of each given memory: key, head's key, id and text; the latest head first.
with recursive up as (
  select k.key as start, k.key from unnest(%(keys)s::bigint[]) k(key)
  union
  select u.start, e.src
  from up u join edges e on e.bank_id = %(bank)s and e.dst = u.key and e.type = 'SUPERSEDES'
)
select u.start, h.key, h.id, h.text
from up u join memories h on h.bank_id = %(bank)s and h.key = u.key
where u.key <> u.start and h.expired_at is null
order by u.start, coalesce(h.valid_at, h.happened, h.created_at) desc, h.key desc
