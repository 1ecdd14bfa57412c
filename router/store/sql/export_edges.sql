-- Edges that callers gave, by id: source, target, type, strength, created_at.
select s.id as source, d.id as target, e.type, e.strength, e.created_at
from edges e
join memories s on s.bank_id = %(bank)s and s.key = e.src
join memories d on d.bank_id = %(bank)s and d.key = e.dst
where e.bank_id = %(bank)s and e.made_by = 'caller'
  and not exists (select from summaries y join memories n on n.bank_id = %(bank)s and n.key = y.key
                  where y.bank_id = %(bank)s and y.key in (e.src, e.dst) and y.made_hash = n.content_hash)
order by e.src, e.type, e.dst
