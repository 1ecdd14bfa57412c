-- The first current observation that says a text word for word: key, id.
select m.key, m.id
from memories m
where m.bank_id = %(bank)s and m.kind = 'observation' and m.expired_at is null
  and hashtextextended(lower(btrim(regexp_replace(m.text, '\s+', ' ', 'g'))), 0)
      = hashtextextended(lower(btrim(regexp_replace(%(text)s::text, '\s+', ' ', 'g'))), 0)
  and lower(btrim(regexp_replace(m.text, '\s+', ' ', 'g')))
      = lower(btrim(regexp_replace(%(text)s::text, '\s+', ' ', 'g')))
  and lower(m.speaker) is not distinct from lower(%(speaker)s::text)
  and m.key <> all(%(except)s::bigint[])
order by m.key
limit 1
