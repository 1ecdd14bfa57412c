-- The current observations nearest to a vector: key, id, text, cosine.
select m.key, m.id, m.text, 1 - ((m.embedding <=> %(vector)s::halfvec) + 0)
from memories m
where m.bank_id = %(bank)s and m.embedder = %(embedder)s and m.kind = 'observation' and m.expired_at is null
  and m.embedding is not null and lower(m.speaker) is not distinct from lower(%(speaker)s::text)
  and m.key <> all(%(except)s::bigint[])
order by (m.embedding <=> %(vector)s::halfvec) + 0, m.key
limit %(limit)s
