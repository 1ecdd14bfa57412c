-- Days on which memories happened, in a time zone, the latest first: day, memories without summaries of ours, first and
-- last time, id of the day's summary (null: none, or one that waits to be made anew).
select d.day, d.memories, d.first, d.last, s.id
from (
  select (m.happened at time zone %(zone)s)::date as day, count(*) as memories,
         min(m.happened) as first, max(m.happened) as last
  from memories m
  where m.bank_id = %(bank)s and m.period is null
    and m.happened >= '0001-01-09' and m.happened < '9999-11-29'
    and m.happened < coalesce(%(before)s::timestamptz, 'infinity')
    and m.happened >= coalesce(%(from)s::timestamptz, '-infinity')
    and m.happened < coalesce(%(to)s::timestamptz, 'infinity')
    and (%(topic)s::text is null or m.topic = %(topic)s
         or (m.topic >= %(topic)s || '.' and m.topic < %(topic)s || '/'))
    and (%(state)s = 'all' or (m.expired_at is null) = (%(state)s = 'current'))
  group by 1
  order by 1 desc
  limit %(limit)s
) d
left join lateral (
  select n.id from summaries y
  join memories n on n.bank_id = %(bank)s and n.key = y.key and n.expired_at is null
  where y.bank_id = %(bank)s and y.period = 'day' and y.starts = d.day and not y.is_stale and %(own_zone)s::boolean
) s on true
order by d.day desc
