-- Which of the pairs of ids were superseded once and taken back since, and are still the same memories: older, newer.
select x.older, x.newer
from unnest(%(older)s::text[], %(newer)s::text[]) x(older, newer)
join memories o on o.bank_id = %(bank)s and o.id = x.older
join memories n on n.bank_id = %(bank)s and n.id = x.newer
cross join lateral (
  select s.deed, s.at from supersessions s
  where s.bank_id = %(bank)s and s.older = x.older and s.newer = x.newer
  order by s.number desc limit 1
) s
where s.deed = 'undone' and s.at >= o.created_at and s.at >= n.created_at
