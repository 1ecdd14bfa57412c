-- The given memories that belong to no episode, columns as in episode_windows.sql.
select null::text, m.key, m.text, m.title, m.description, m.tags, m.speaker, m.happened, m.context,
       m.granularity, (select b.config ->> 'timezone' from banks b where b.bank_id = %(bank)s), m.behaviour, m.affect_labels
from memories m
where m.bank_id = %(bank)s and m.key = any(%(keys)s::bigint[]) and m.episode is null
order by m.key
