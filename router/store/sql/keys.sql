-- Every API key, revoked ones too, oldest first: id, name, hash, scopes, banks, trusted, created_at, revoked_at.
select id, name, hash, scopes, banks, trusted, created_at, revoked_at from api_keys order by created_at, id
