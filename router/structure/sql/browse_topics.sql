-- Topics below a prefix (null: all), %(levels)s levels deep, under the first %(limit)s names of the next level after a
-- cursor: path, its own memories, all below it, first and last time; in the order of paths.
with topics as (
  select string_to_array(m.topic, '.') as parts, count(*) as memories, min(m.happened) as first,
         max(coalesce(m.happened_end, m.happened)) as last
  from memories m
  where m.bank_id = %(bank)s and m.topic is not null
    and (%(prefix)s::text is null
         or (m.topic >= %(prefix)s::text || '.' and m.topic < %(prefix)s::text || '/'))
    and (%(state)s = 'all' or (m.expired_at is null) = (%(state)s = 'current'))
  group by m.topic
),
heads as (
  select distinct parts[%(depth)s + 1] collate "C" as head from topics
  where %(after)s::text is null or parts[%(depth)s + 1] collate "C" > %(after)s::text
  order by 1 limit %(limit)s
)
select array_to_string(t.parts[1:n], '.') collate "C" as path,
       coalesce(sum(t.memories) filter (where n = cardinality(t.parts)), 0)::bigint, sum(t.memories)::bigint,
       min(t.first), max(t.last)
from topics t
join heads h on h.head = t.parts[%(depth)s + 1] collate "C"
cross join lateral generate_series(%(depth)s + 1, least(cardinality(t.parts), %(depth)s + %(levels)s)) n
group by 1
order by 1
