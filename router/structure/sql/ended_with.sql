-- Superseded memories whose validity ends with the time of the given successors: key.
select m.key
from memories n
join edges e on e.bank_id = %(bank)s and e.src = n.key and e.type = 'SUPERSEDES'
join memories m on m.bank_id = %(bank)s and m.key = e.dst and m.superseded_by = n.key
where n.bank_id = %(bank)s and n.key = any(%(keys)s::bigint[])
  and m.invalid_at is not distinct from coalesce(n.valid_at, n.happened, m.expired_at)
order by m.key
