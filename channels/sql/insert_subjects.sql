-- Names of memories in bulk; one that is there stays as it is.
insert into subjects (bank_id, key, name)
select %(bank)s, x.key, x.name from unnest(%(keys)s::bigint[], %(names)s::bigint[]) x(key, name)
on conflict (bank_id, key, name) do nothing
