-- Current memories that say word for word what a superseded one says, by the same speaker, and replaced nothing
-- themselves: key, the superseded one's key, its successor's key, and whether it was said before it was replaced.
select d.key, x.older, x.newer,
       case when d.happened is null then d.key < x.newer else d.happened <= coalesce(o.invalid_at, %(now)s) end
from unnest(%(older)s::bigint[], %(newer)s::bigint[]) x(older, newer)
join memories o on o.bank_id = %(bank)s and o.key = x.older
join memories d on d.bank_id = %(bank)s
  and hashtextextended(lower(btrim(regexp_replace(d.text, '\s+', ' ', 'g'))), 0)
      = hashtextextended(lower(btrim(regexp_replace(o.text, '\s+', ' ', 'g'))), 0)
  and lower(btrim(regexp_replace(d.text, '\s+', ' ', 'g'))) = lower(btrim(regexp_replace(o.text, '\s+', ' ', 'g')))
where d.expired_at is null and d.key not in (x.older, x.newer)
  and lower(d.speaker) is not distinct from lower(o.speaker)
  and not exists (select from edges e where e.bank_id = %(bank)s and e.src = d.key and e.type = 'SUPERSEDES')
order by d.key, x.older
