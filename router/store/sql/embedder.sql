-- The number of the embedder of that name, made if new.
with made as (
  insert into embedders (embedder, name, dim)
  select coalesce(max(embedder), 0) + 1, %(name)s, %(dim)s from embedders
  on conflict (name) do nothing returning embedder
)
select embedder from made union all select embedder from embedders where name = %(name)s limit 1
