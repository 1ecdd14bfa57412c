-- Makes a version the live one and tells every server when this commits.
with moved as (
  insert into matrix_heads (bank_id, version) values (%(bank)s, %(version)s)
  on conflict (bank_id) do update set version = excluded.version
  returning bank_id
)
select pg_notify('fivefold_matrix', bank_id::text) from moved
