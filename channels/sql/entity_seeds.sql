-- Memories that mention the asked entities: key, entity, df; at most %(per_entity)s an entity, newest first.
select h.key, n.entity, n.df
from entities n
cross join lateral (
  select me.key from memory_entities me
  where me.bank_id = %(bank)s and me.entity = n.entity
  order by me.key desc limit %(per_entity)s
) h
where n.bank_id = %(bank)s and n.entity = any(%(entities)s::bigint[]) and n.df > 0
