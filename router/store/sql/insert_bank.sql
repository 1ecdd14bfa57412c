-- Creates a bank unless one of that name exists.
insert into banks (bank_id, name, title, config, embedder, analyser, created_at)
values (nextval('bank_keys'), %(name)s, %(title)s, %(config)s, %(embedder)s, %(analyser)s, %(now)s)
on conflict (name) do nothing
