-- Fresh memories that say word for word what a superseded one says, by the same speaker, and replace nothing: key, the
-- superseded one's key, and whether by its own time it was said before that one was replaced, text.
select d.key, o.key, coalesce(d.happened < o.invalid_at, false), d.text
from unnest(%(keys)s::bigint[]) k(key)
join memories d on d.bank_id = %(bank)s and d.key = k.key
join memories o on o.bank_id = %(bank)s
  and hashtextextended(lower(btrim(regexp_replace(o.text, '\s+', ' ', 'g'))), 0)
      = hashtextextended(lower(btrim(regexp_replace(d.text, '\s+', ' ', 'g'))), 0)
  and lower(btrim(regexp_replace(o.text, '\s+', ' ', 'g'))) = lower(btrim(regexp_replace(d.text, '\s+', ' ', 'g')))
where d.expired_at is null and o.expired_at is not null and o.key <> d.key
  and lower(d.speaker) is not distinct from lower(o.speaker)
  and not exists (select from edges e where e.bank_id = %(bank)s and e.src = d.key and e.type = 'SUPERSEDES')
order by d.key, o.key
