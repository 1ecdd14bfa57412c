-- Removes the edges that rules wrote from or to the given memories.
delete from edges
where bank_id = %(bank)s and (src = any(%(keys)s::bigint[]) or dst = any(%(keys)s::bigint[]))
  and made_by in ('episode', 'rare_term', 'entity', 'similarity', 'name')
