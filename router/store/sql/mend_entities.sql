-- Sets the frequencies of the bank's entities to a recount of their mentions, where they differ.
update entities n set df = c.df
from (select e.entity, count(m.entity) as df
      from entities e
      left join memory_entities m on m.bank_id = e.bank_id and m.entity = e.entity
      where e.bank_id = %(bank)s group by e.entity) c
where n.bank_id = %(bank)s and n.entity = c.entity and n.df <> c.df
