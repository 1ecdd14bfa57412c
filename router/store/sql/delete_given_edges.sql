-- Removes the edges that callers gave with the given memories; what they supersede stays superseded.
delete from edges
where bank_id = %(bank)s and src = any(%(keys)s::bigint[]) and made_by = 'caller' and type <> 'SUPERSEDES'
