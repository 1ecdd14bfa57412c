-- Memories after a key, in order: key, text, title, description, tags, speaker, happened.
select m.key, m.text, m.title, m.description, m.tags, m.speaker, m.happened
from memories m
where m.bank_id = %(bank)s and m.key > %(after)s
order by m.key limit %(limit)s
