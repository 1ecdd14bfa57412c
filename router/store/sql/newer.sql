-- What supersedes the memories of the given ids, and what supersedes that, and so on: older id, newer id.
with recursive above as (
  select e.dst, e.src
  from memories m join edges e on e.bank_id = %(bank)s and e.dst = m.key and e.type = 'SUPERSEDES'
  where m.bank_id = %(bank)s and m.id = any(%(ids)s::text[])
  union
  select e.dst, e.src
  from above a join edges e on e.bank_id = %(bank)s and e.dst = a.src and e.type = 'SUPERSEDES'
)
select o.id, n.id
from above a
join memories o on o.bank_id = %(bank)s and o.key = a.dst
join memories n on n.bank_id = %(bank)s and n.key = a.src
