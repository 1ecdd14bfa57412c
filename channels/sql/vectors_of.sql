-- Vectors of the given memories by the asked model: key, vector as pgvector sends it (in half precision, big-endian).
select m.key, halfvec_send(m.embedding) from memories m
where m.bank_id = %(bank)s and m.key = any(%(keys)s::bigint[]) and m.embedding is not null
  and m.embedder = %(embedder)s and m.period is null
order by m.key
