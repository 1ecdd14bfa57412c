-- Removes the names of the given memories.
delete from subjects where bank_id = %(bank)s and key = any(%(keys)s::bigint[])
