-- Episode and vector of the given memories: key, episode, embedding.
select key, episode, embedding from memories where bank_id = %(bank)s and key = any(%(keys)s::bigint[])
