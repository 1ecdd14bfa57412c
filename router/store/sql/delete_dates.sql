-- Removes the intervals of the given memories.
delete from memory_dates where bank_id = %(bank)s and key = any(%(keys)s::bigint[])
