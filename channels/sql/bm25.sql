-- Best visible memories by BM25 over our own postings: key, score.
-- Candidates come from the rare terms (best visible by impact); every term of the question then scores them,
-- one candidate at a time: the planner takes hundreds of candidates for a dozen, and joined all pairs (20 -> 9 ms).
with asked as (
  select * from unnest(%(terms)s::bigint[], %(weights)s::float8[]) as a(term, weight)
),
candidates as (
  select distinct p.key
  from unnest(%(rare)s::bigint[]) r(term)
  cross join lateral (
    select i.key
    from postings i
    join memories m on m.bank_id = %(bank)s and m.key = i.key
    where i.bank_id = %(bank)s and i.term = r.term and /* visible */
    order by i.impact desc, i.key limit %(per_term)s
  ) p
)
select c.key, s.score
from candidates c
cross join lateral (
  select sum(a.weight * p.tf * (%(k1)s + 1)
         / (p.tf + %(k1)s * (1 - %(b)s + %(b)s * p.length / %(mean_length)s))) as score
  from postings p
  join asked a on a.term = p.term
  where p.bank_id = %(bank)s and p.key = c.key and p.term = any(%(terms)s::bigint[])
) s
order by s.score desc, c.key
limit %(limit)s
