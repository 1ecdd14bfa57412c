-- Removes memories; what refers to them goes with them.
delete from memories where bank_id = %(bank)s and key = any(%(keys)s::bigint[])
