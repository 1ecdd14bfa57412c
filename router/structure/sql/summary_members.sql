-- Current memories that lie wholly in [start, end), at most %(limit)s spread evenly, in the order of time: key, id, the
-- beginning of the text, speaker, words, happened, vector, and how many there are.
select key, id, text, speaker, words, happened, embedding, members
from (
  select m.key, m.id, left(m.text, 4000) as text, m.speaker, m.words, m.happened,
         case when m.embedder = %(embedder)s then m.embedding end as embedding,
         row_number() over (order by m.happened, m.position, m.key) as place, count(*) over () as members
  from memories m
  where m.bank_id = %(bank)s and m.happened >= %(start)s and m.happened < %(end)s
    and coalesce(m.happened_end, m.happened) <= %(end)s
    and m.expired_at is null and m.period is null
) x
where members <= %(limit)s or place %% (members / %(limit)s + 1) = 0
order by place
