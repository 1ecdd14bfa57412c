-- Sums and directions of the episodes of the given memories, from their members' vectors.
update episodes e set vector_sum = s.total, mean = l2_normalize(s.total)::halfvec
from (
  select m.episode, sum(m.embedding::vector) as total
  from memories m
  where m.bank_id = %(bank)s and m.embedding is not null and m.episode in (
    select o.episode from memories o where o.bank_id = %(bank)s and o.key = any(%(keys)s::bigint[]))
  group by m.episode
) s
where e.bank_id = %(bank)s and e.episode = s.episode and vector_norm(s.total) >= 1e-6
