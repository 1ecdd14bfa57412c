-- Turns beside the given memories: earlier, later.
select src, dst from edges
where bank_id = %(bank)s and type = 'NEXT' and made_by = 'episode'
  and (src = any(%(keys)s::bigint[]) or dst = any(%(keys)s::bigint[]))
