-- Visible memories that say one of the given words themselves, at most %(most)s a word: key, text, title, description.
select m.key, m.text, m.title, m.description
from (
  select distinct p.key
  from unnest(%(terms)s::bigint[]) t(term)
  cross join lateral (
    select i.key from postings i
    where i.bank_id = %(bank)s and i.term = t.term and i.own
    order by i.impact desc, i.key limit %(most)s
  ) p
) p
join memories m on m.bank_id = %(bank)s and m.key = p.key
where /* visible */
