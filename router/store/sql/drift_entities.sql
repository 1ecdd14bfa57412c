-- How many of the bank's entities have another frequency than a recount of their mentions gives.
select count(*)
from entities n
left join (select entity, count(*) as df from memory_entities where bank_id = %(bank)s group by entity) m
  on m.entity = n.entity
where n.bank_id = %(bank)s and n.df <> coalesce(m.df, 0)
