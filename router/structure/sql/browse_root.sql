-- A topic (null: the whole bank) with what lies below it: its own memories (null: those without a topic), all, first and
-- last time.
select count(*) filter (where m.topic is not distinct from %(prefix)s::text), count(*),
       min(m.happened), max(coalesce(m.happened_end, m.happened))
from memories m
where m.bank_id = %(bank)s
  and (%(prefix)s::text is null or m.topic = %(prefix)s::text
       or (m.topic >= %(prefix)s::text || '.' and m.topic < %(prefix)s::text || '/'))
  and (%(state)s = 'all' or (m.expired_at is null) = (%(state)s = 'current'))
