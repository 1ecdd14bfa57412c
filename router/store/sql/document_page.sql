-- Memories after a key, in order: key, text, title, description, tags, speaker, happened, context, granularity, the
-- bank's zone.
select m.key, m.text, m.title, m.description, m.tags, m.speaker, m.happened, m.context, m.granularity,
       (select b.config ->> 'timezone' from banks b where b.bank_id = %(bank)s)
from memories m
where m.bank_id = %(bank)s and m.key > %(after)s
order by m.key limit %(limit)s
