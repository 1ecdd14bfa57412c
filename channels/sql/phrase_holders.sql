-- Visible memories that say all of the given words themselves, in whatever order, found by the rarest, at most %(most)s:
-- key, text, title, description.
select m.key, m.text, m.title, m.description
from (
  select i.key from postings i
  where i.bank_id = %(bank)s and i.term = %(rarest)s and i.own
    and cardinality(%(others)s::bigint[]) = (
      select count(*) from postings q
      where q.bank_id = %(bank)s and q.key = i.key and q.term = any(%(others)s::bigint[]) and q.own)
  order by i.impact desc, i.key limit %(most)s
) p
join memories m on m.bank_id = %(bank)s and m.key = p.key
where /* visible */
