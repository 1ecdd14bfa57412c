-- Visible memories indexed under one of the given words, at most %(most)s a word: key, text, title, description, speaker,
-- tags.
select m.key, m.text, m.title, m.description, m.speaker, m.tags
from (
  select distinct p.key
  from unnest(%(terms)s::bigint[]) t(term)
  cross join lateral (
    select i.key from postings i
    where i.bank_id = %(bank)s and i.term = t.term
    order by i.impact desc, i.key limit %(most)s
  ) p
) p
join memories m on m.bank_id = %(bank)s and m.key = p.key
where /* visible */
