-- Ids of the given keys: key, id.
select key, id from memories where bank_id = %(bank)s and key = any(%(keys)s::bigint[])
