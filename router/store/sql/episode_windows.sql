-- Turns around the fresh ones in the order of their episode: episode, key, text, title, description, tags, speaker,
-- happened, context, granularity, the bank's zone, behaviour, affect labels. From 8 turns before an episode's first fresh turn to 5 after its last.
with fresh as (
  select m.episode, coalesce(m.happened, '-infinity'::timestamptz) as at, coalesce(m.position, 0) as position, m.key
  from memories m
  where m.bank_id = %(bank)s and m.key = any(%(keys)s::bigint[]) and m.episode is not null
),
opening as (select distinct on (episode) * from fresh order by episode, at, position, key),
closing as (select distinct on (episode) * from fresh order by episode, at desc, position desc, key desc),
turns as (
  select o.episode, w.key
  from opening o join closing c on c.episode = o.episode
  cross join lateral (
    (select m.key from memories m
     where m.bank_id = %(bank)s and m.episode = o.episode
       and (coalesce(m.happened, '-infinity'::timestamptz), coalesce(m.position, 0), m.key) < (o.at, o.position, o.key)
     order by coalesce(m.happened, '-infinity'::timestamptz) desc, coalesce(m.position, 0) desc, m.key desc limit 8)
    union all
    (select m.key from memories m
     where m.bank_id = %(bank)s and m.episode = o.episode
       and (coalesce(m.happened, '-infinity'::timestamptz), coalesce(m.position, 0), m.key) >= (o.at, o.position, o.key)
       and (coalesce(m.happened, '-infinity'::timestamptz), coalesce(m.position, 0), m.key) <= (c.at, c.position, c.key))
    union all
    (select m.key from memories m
     where m.bank_id = %(bank)s and m.episode = o.episode
       and (coalesce(m.happened, '-infinity'::timestamptz), coalesce(m.position, 0), m.key) > (c.at, c.position, c.key)
     order by coalesce(m.happened, '-infinity'::timestamptz), coalesce(m.position, 0), m.key limit 5)
  ) w
)
select t.episode, m.key, m.text, m.title, m.description, m.tags, m.speaker, m.happened, m.context,
       m.granularity, (select b.config ->> 'timezone' from banks b where b.bank_id = %(bank)s), m.behaviour, m.affect_labels
from turns t join memories m on m.bank_id = %(bank)s and m.key = t.key
order by t.episode, coalesce(m.happened, '-infinity'::timestamptz), coalesce(m.position, 0), m.key
