-- Who mentions the given entities, for entities that few memories mention: entity, key.
select me.entity, me.key
from entities n
join memory_entities me on me.bank_id = %(bank)s and me.entity = n.entity
where n.bank_id = %(bank)s and n.entity = any(%(entities)s::bigint[]) and n.df between 2 and %(most)s
order by me.entity, me.key
