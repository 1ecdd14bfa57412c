-- Removes the mentions of the given memories and takes them off the entities' frequencies.
with gone as (
  delete from memory_entities where bank_id = %(bank)s and key = any(%(keys)s::bigint[]) returning entity
), counted as (
  select entity, count(*)::int as count from gone group by entity
)
update entities n set df = n.df - c.count
from counted c where n.bank_id = %(bank)s and n.entity = c.entity
