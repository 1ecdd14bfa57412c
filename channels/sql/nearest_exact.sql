-- Nearest visible memories by cosine, every row compared: key, cosine, and the blend with the episode's mean.
-- "+ 0" keeps the planner from an index that would lose rows of a small bank.
select near.key, 1 - near.distance as cosine,
       1 - near.distance + coalesce(%(episode_share)s * (1 - (e.mean <=> %(vector)s::halfvec)), 0) as score
from (
  select m.key, m.episode, (m.embedding <=> %(vector)s::halfvec) + 0 as distance
  from memories m
  where m.bank_id = %(bank)s and m.embedder = %(embedder)s and m.embedding is not null
    and /* visible */
  order by 3, m.key
  limit %(limit)s
) near
left join episodes e on e.bank_id = %(bank)s and e.episode = near.episode and e.embedder = %(embedder)s
order by score desc, near.key
