-- The latest turns of an episode, up to a memory where one is given, in order: id, text, speaker, behaviour, affect
-- labels, and how many turns there are up to there.
with last as (
  select coalesce(m.happened, '-infinity'::timestamptz) as at, coalesce(m.position, 0) as position, m.key
  from memories m where m.bank_id = %(bank)s and m.key = %(up_to)s
),
latest as (
  select m.id, m.text, m.speaker, m.behaviour, m.affect_labels,
         coalesce(m.happened, '-infinity'::timestamptz) as at, coalesce(m.position, 0) as position, m.key,
         count(*) over () as turns
  from memories m
  where m.bank_id = %(bank)s and m.episode = %(episode)s
    and (%(up_to)s::bigint is null or (coalesce(m.happened, '-infinity'::timestamptz), coalesce(m.position, 0), m.key)
                                      <= (select l.at, l.position, l.key from last l))
  order by 6 desc, 7 desc, 8 desc
  limit %(most)s
)
select id, text, speaker, behaviour, affect_labels, turns from latest order by at, position, key
