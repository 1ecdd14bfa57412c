-- Which of the pairs stand already: older, newer.
select e.dst, e.src
from unnest(%(older)s::bigint[], %(newer)s::bigint[]) x(older, newer)
join edges e on e.bank_id = %(bank)s and e.src = x.newer and e.dst = x.older and e.type = 'SUPERSEDES'
