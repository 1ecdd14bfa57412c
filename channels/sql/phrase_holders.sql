-- Visible memories indexed under all of the given words, in whatever order, found by the rarest, at most %(most)s: key,
-- text, title, description, speaker, tags. Not only their own words: a speaker's name is none of those.
select m.key, m.text, m.title, m.description, m.speaker, m.tags
from (
  select i.key from postings i
  where i.bank_id = %(bank)s and i.term = %(rarest)s
    and cardinality(%(others)s::bigint[]) = (
      select count(*) from postings q
      where q.bank_id = %(bank)s and q.key = i.key and q.term = any(%(others)s::bigint[]))
  order by i.impact desc, i.key limit %(most)s
) p
join memories m on m.bank_id = %(bank)s and m.key = p.key
where /* visible */
