-- Texts of the given memories without a leading "Speaker: ": key, text, title, whether it has a speaker.
select m.key,
       case when m.speaker is not null and starts_with(m.text, m.speaker || ':')
            then substr(m.text, length(m.speaker) + 2) else m.text end,
       m.title, m.speaker is not null
from memories m where m.bank_id = %(bank)s and m.key = any(%(keys)s::bigint[])
order by m.key
