-- Summaries of a period whose middle lies in [start, end), visible and up to date, the nearest to the question or else
-- the newest: key, id, first day.
select m.key, m.id, s.starts
from summaries s
join memories m on m.bank_id = %(bank)s and m.key = s.key
where s.bank_id = %(bank)s and s.period = %(period)s and not s.is_stale and m.expired_at is null
  and m.happened + (m.happened_end - m.happened) / 2 >= %(start)s
  and m.happened + (m.happened_end - m.happened) / 2 < %(end)s
  and m.tags @> %(tags)s::text[]
  and (%(topic)s::text is null or m.topic = %(topic)s::text
       or (m.topic >= %(topic)s::text || '.' and m.topic < %(topic)s::text || '/'))
  and (%(speaker)s::text is null or lower(m.speaker) = lower(%(speaker)s::text))
order by coalesce(case when m.embedder = %(embedder)s then (m.embedding <=> %(vector)s::halfvec) + 0 end, 0),
         s.starts desc
limit %(limit)s
