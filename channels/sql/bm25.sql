-- The given memories by BM25 over every asked term, the best visible ones: key, score.
-- One memory at a time: the planner takes hundreds of candidates for a dozen, and joined all pairs (20 -> 9 ms).
select s.key, s.score
from (
  select c.key, b.score
  from unnest(%(keys)s::bigint[]) c(key)
  cross join lateral (
    select sum((%(weights)s::float8[])[array_position(%(terms)s::bigint[], p.term)] * p.tf * (%(k1)s + 1)
           / (p.tf + %(k1)s * (1 - %(b)s + %(b)s * p.length / %(mean_length)s))) as score
    from postings p
    where p.bank_id = %(bank)s and p.key = c.key and p.term = any(%(terms)s::bigint[])
  ) b
  order by b.score desc, c.key offset 0
) s
cross join lateral (
  select from memories m where m.bank_id = %(bank)s and m.key = s.key and /* visible */ limit 1
) v
order by s.score desc, s.key limit %(limit)s
