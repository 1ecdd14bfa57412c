-- Episodes, the latest first: name, memories, first and last time (null: without any), the place for a cursor.
select episode, memories, first, last, place
from (
  select m.episode, count(*) as memories, min(m.happened) as first, max(coalesce(m.happened_end, m.happened)) as last,
         coalesce(max(coalesce(m.happened_end, m.happened)), '0001-01-01') as place
  from memories m
  where m.bank_id = %(bank)s and m.episode is not null
    and (%(topic)s::text is null or m.topic = %(topic)s
         or (m.topic >= %(topic)s || '.' and m.topic < %(topic)s || '/'))
    and (%(entities)s::bigint[] is null or exists (
          select from memory_entities x
          where x.bank_id = %(bank)s and x.key = m.key and x.entity = any(%(entities)s)))
    and (%(state)s = 'all' or (m.expired_at is null) = (%(state)s = 'current'))
  group by m.episode
) e
where %(before)s::timestamptz is null
   or place < %(before)s::timestamptz
   or (place = %(before)s::timestamptz and episode collate "C" > %(after)s::text collate "C")
order by place desc, episode collate "C"
limit %(limit)s
