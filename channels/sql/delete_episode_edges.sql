-- Removes the episode rule's edges among the given memories.
delete from edges
where bank_id = %(bank)s and src = any(%(keys)s::bigint[]) and dst = any(%(keys)s::bigint[])
  and made_by = 'episode'
