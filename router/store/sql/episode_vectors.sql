-- Members and vector sum of the given episodes: episode, members, embedder, vector_sum.
select episode, members, embedder, vector_sum from episodes
where bank_id = %(bank)s and episode = any(%(episodes)s::text[])
