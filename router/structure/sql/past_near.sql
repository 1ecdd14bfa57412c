-- Superseded memories nearest to the question: key, id, cosine.
select m.key, m.id, 1 - ((m.embedding <=> %(vector)s::halfvec) + 0)
from memories m
where m.bank_id = %(bank)s and m.expired_at is not null and m.embedder = %(embedder)s and m.embedding is not null
order by (m.embedding <=> %(vector)s::halfvec) + 0, m.key
limit %(limit)s
