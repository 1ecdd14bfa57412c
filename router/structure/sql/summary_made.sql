-- Summaries of the bank that nobody edited: key, whether current. Of the given periods (null: all), or of those that
-- quote a memory.
select s.key, m.expired_at is null
from summaries s
join memories m on m.bank_id = %(bank)s and m.key = s.key and m.content_hash = s.made_hash
where s.bank_id = %(bank)s
  and (%(periods)s::text[] is null or s.period = any(%(periods)s::text[]))
  and (%(quoting)s::bigint is null or exists (
        select from edges e where e.bank_id = %(bank)s and e.src = s.key and e.dst = %(quoting)s
          and e.type = 'DERIVED_FROM' and e.made_by = 'summary'))
order by s.key
