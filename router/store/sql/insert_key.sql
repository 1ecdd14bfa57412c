-- Stores a new API key.
insert into api_keys (id, name, hash, scopes, banks, trusted, created_at, explores)
values (%(id)s, %(name)s, %(hash)s, %(scopes)s, %(banks)s, %(trusted)s, %(now)s, %(explores)s)
