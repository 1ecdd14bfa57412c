-- Revokes a key; one revoked before keeps its time. Returns the id if the key exists.
update api_keys set revoked_at = coalesce(revoked_at, %(now)s) where id = %(id)s returning id
