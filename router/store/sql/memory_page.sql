-- A page of a bank's memories, the newest arrival first; columns as in StoredMemory without the caller's edges.
select m.key, m.id, m.text, m.context, m.title, m.description, m.kind, m.speaker, m.episode, m.position,
       m.occurred_at, m.occurred_start, m.occurred_end, m.mentioned_at, m.granularity, m.tags, m.topic,
       m.entities, m.affect_labels as affect, m.behaviour, m.metadata, coalesce(t.proof_count, 1) as proof_count,
       m.happened, m.valid_at, m.invalid_at, m.created_at, m.expired_at, s.id as superseded_by
from memories m
left join memory_stats t on t.bank_id = %(bank)s and t.key = m.key
left join memories s on s.bank_id = %(bank)s and s.key = m.superseded_by
where m.bank_id = %(bank)s
  and (%(before)s::bigint is null or m.key < %(before)s)
  and (%(tag)s::text is null or m.tags @> array[%(tag)s::text])
  and (%(topic)s::text is null or m.topic = %(topic)s
       or (m.topic >= %(topic)s || '.' and m.topic < %(topic)s || '/'))
  and (%(kind)s::text is null or m.kind = %(kind)s)
  and (%(episode)s::text is null or m.episode = %(episode)s)
  and (%(entities)s::bigint[] is null or exists (
        select from memory_entities x
        where x.bank_id = %(bank)s and x.key = m.key and x.entity = any(%(entities)s)))
  and (%(from)s::timestamptz is null or m.happened >= %(from)s
       or m.happened_end > %(from)s)
  and (%(to)s::timestamptz is null or m.happened < %(to)s)
  and (%(state)s = 'all' or (m.expired_at is null) = (%(state)s = 'current'))
order by m.key desc
limit %(limit)s
