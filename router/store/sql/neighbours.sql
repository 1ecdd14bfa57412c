-- Edges of one memory, both ways, strongest first: id, type, strength, direction, made_by.
select m.id, x.type, x.strength, x.direction, x.made_by
from (
  select dst as other, type, strength, 'out' as direction, made_by from edges
  where bank_id = %(bank)s and src = %(key)s
  union all
  select src, type, strength, 'in', made_by from edges
  where bank_id = %(bank)s and dst = %(key)s
) x
join memories m on m.bank_id = %(bank)s and m.key = x.other
order by x.strength desc, x.type, m.id, x.direction
limit %(limit)s
