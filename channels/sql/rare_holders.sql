-- Who says the given words themselves, for words that few memories say: term, key.
-- Word by word, in the order of the index on terms: a planner without fresh statistics, as in the middle of a bulk
-- load, takes postings for few, joins the two tables the other way round, and needs minutes.
select p.term, p.key
from term_stats t
cross join lateral (
  select i.term, i.key from postings i
  where i.bank_id = %(bank)s and i.term = t.term and i.own
  order by i.impact desc, i.key
) p
where t.bank_id = %(bank)s and t.term = any(%(terms)s::bigint[]) and t.own_df between %(least)s and %(most)s
order by p.term, p.key
