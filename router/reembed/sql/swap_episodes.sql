-- Sums and directions of the bank's episodes from their members' vectors; one without a direction has no row.
insert into episodes (bank_id, episode, members, embedder, vector_sum, mean)
select %(bank)s, s.episode, s.members, %(embedder)s, s.total, l2_normalize(s.total)::halfvec
from (
  select m.episode, count(*)::int as members, sum(m.embedding::vector) as total
  from memories m
  where m.bank_id = %(bank)s and m.episode is not null and m.embedding is not null
  group by m.episode
) s
where vector_norm(s.total) >= 1e-6
