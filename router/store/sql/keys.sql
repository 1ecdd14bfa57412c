-- Every API key, revoked ones too, oldest first: id, name, hash, scopes, banks, trusted, created_at, revoked_at,
-- explores.
select id, name, hash, scopes, banks, trusted, created_at, revoked_at, explores from api_keys order by created_at, id
