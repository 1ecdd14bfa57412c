-- Visible memories with a text like %(like)s, read one by one, the newest first, at most %(most)s: key, text, title,
-- description, speaker, tags.
select m.key, m.text, m.title, m.description, m.speaker, m.tags
from memories m
where m.bank_id = %(bank)s
  and (m.text ilike %(like)s or m.title ilike %(like)s or m.description ilike %(like)s or m.speaker ilike %(like)s
       or array_to_string(m.tags, ' ') ilike %(like)s)
  and /* visible */
order by m.key desc limit %(most)s
