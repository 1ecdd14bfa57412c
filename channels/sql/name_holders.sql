-- Memories that say all words of a name: place of the name, key. Found by the rarest word, of %(most)s memories at most.
select n.place, p.key
from unnest(%(places)s::int[], %(rarest)s::bigint[], %(others)s::text[]) n(place, term, others)
cross join lateral (
  select i.key from postings i
  where i.bank_id = %(bank)s and i.term = n.term and i.own
  order by i.impact desc, i.key limit %(most)s
) p
where cardinality(n.others::bigint[]) = (
  select count(*) from postings q
  where q.bank_id = %(bank)s and q.key = p.key and q.term = any(n.others::bigint[]) and q.own)
