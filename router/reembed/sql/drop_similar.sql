-- Removes the edges that likeness of vectors wrote from the given memories.
delete from edges where bank_id = %(bank)s and src = any(%(keys)s::bigint[]) and made_by = 'similarity'
