-- Adds mentions to the entities' document frequencies; a new entity is stored under its first name.
insert into entities as e (bank_id, entity, name, kind, df)
select %(bank)s, x.entity, x.name, x.kind, x.count
from unnest(%(entities)s::bigint[], %(names)s::text[], %(kinds)s::text[], %(counts)s::int[]) x(entity, name, kind, count)
on conflict (bank_id, entity) do update set df = e.df + excluded.df,
  kind = case when e.kind = '' then excluded.kind else e.kind end
