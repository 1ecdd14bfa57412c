-- Memories that were closed only as copies of the given one, by the given successors: key, successor's key.
select d.key, n.key
from supersessions s
join memories a on a.bank_id = %(bank)s and a.key = %(key)s and a.id = s.along
join memories d on d.bank_id = %(bank)s and d.id = s.older
join memories n on n.bank_id = %(bank)s and n.id = s.newer and n.key = any(%(newer)s::bigint[])
join edges e on e.bank_id = %(bank)s and e.src = n.key and e.dst = d.key and e.type = 'SUPERSEDES'
where s.bank_id = %(bank)s and s.deed = 'superseded' and s.rule = 'duplicate'
group by d.key, n.key
