-- Writes one memory, or replaces the content of the one that bears its key.
insert into memories (bank_id, key, id, text, context, title, description, kind, speaker, episode, position,
  occurred_at, occurred_start, occurred_end, mentioned_at, granularity, happened, happened_end, valid_at, created_at,
  tags, topic, metadata, entities, affect_labels, behaviour, embedder, analyser, embedding, words, has_time,
  is_question, content_hash)
values (%(bank)s, %(key)s, %(id)s, %(text)s, %(context)s, %(title)s, %(description)s, %(kind)s, %(speaker)s,
  %(episode)s, %(position)s, %(occurred_at)s, %(occurred_start)s, %(occurred_end)s, %(mentioned_at)s,
  %(granularity)s, %(happened)s, %(happened_end)s, %(valid_at)s, %(now)s, %(tags)s, %(topic)s, %(metadata)s,
  %(entities)s, %(affect_labels)s, %(behaviour)s, %(embedder)s, %(analyser)s, %(embedding)s, %(words)s,
  %(has_time)s, %(is_question)s, %(content_hash)s)
on conflict (bank_id, key) do update set
  text = excluded.text, context = excluded.context, title = excluded.title, description = excluded.description,
  kind = excluded.kind, speaker = excluded.speaker, episode = excluded.episode, position = excluded.position,
  occurred_at = excluded.occurred_at, occurred_start = excluded.occurred_start, occurred_end = excluded.occurred_end,
  mentioned_at = excluded.mentioned_at, granularity = excluded.granularity, happened = excluded.happened,
  happened_end = excluded.happened_end, valid_at = excluded.valid_at, tags = excluded.tags, topic = excluded.topic,
  metadata = excluded.metadata, entities = excluded.entities, affect_labels = excluded.affect_labels,
  behaviour = excluded.behaviour, embedder = excluded.embedder, analyser = excluded.analyser,
  embedding = excluded.embedding, words = excluded.words, has_time = excluded.has_time,
  is_question = excluded.is_question, content_hash = excluded.content_hash
