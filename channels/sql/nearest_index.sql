-- Nearest visible memories of a large bank through HNSW, sorted again by true distance.
-- {dim} stands for the embedder's dimension: an index on an undimensioned column needs the cast.
select near.key, 1 - near.distance as cosine,
       1 - near.distance + coalesce(%(episode_share)s * (1 - (e.mean <=> %(vector)s::halfvec)), 0) as score
from (
  select m.key, m.episode, m.embedding::halfvec({dim}) <=> %(vector)s::halfvec({dim}) as distance
  from memories m
  where m.bank_id = %(bank)s and m.embedder = %(embedder)s and m.embedding is not null
    and /* visible */
  order by m.embedding::halfvec({dim}) <=> %(vector)s::halfvec({dim})
  limit %(limit)s
) near
left join episodes e on e.bank_id = %(bank)s and e.episode = near.episode and e.embedder = %(embedder)s
order by score desc, near.key
