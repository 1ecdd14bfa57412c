-- Mentions in bulk.
insert into memory_entities (bank_id, key, entity)
select %(bank)s, x.key, x.entity from unnest(%(keys)s::bigint[], %(entities)s::bigint[]) x(key, entity)
