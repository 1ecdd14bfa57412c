-- Nearest current memories of each given one: from, to, cosine.
select f.key, n.key, n.cosine
from memories f
cross join lateral (
  select m.key, 1 - ((m.embedding <=> f.embedding) + 0) as cosine
  from memories m
  where m.bank_id = %(bank)s and m.embedder = %(embedder)s and m.embedding is not null
    and m.expired_at is null and m.period is null and m.key <> f.key
  order by (m.embedding <=> f.embedding) + 0, m.key
  limit %(limit)s
) n
where f.bank_id = %(bank)s and f.period is null and f.key = any(%(keys)s::bigint[]) and f.embedding is not null
  and f.embedder = %(embedder)s and n.cosine >= %(least)s
