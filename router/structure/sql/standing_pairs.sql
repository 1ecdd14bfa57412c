-- Which of the pairs stand already, the older one being closed: older, newer.
select e.dst, e.src
from unnest(%(older)s::bigint[], %(newer)s::bigint[]) x(older, newer)
join edges e on e.bank_id = %(bank)s and e.src = x.newer and e.dst = x.older and e.type = 'SUPERSEDES'
join memories o on o.bank_id = %(bank)s and o.key = x.older and o.expired_at is not null
