-- Ids of the events that were new; those already in the bank are left as they are, deleted ones stay deleted.
insert into events (
  bank_id, event_id, recall_id, action, memory_id, memory_key, position, value, confidence, annotator,
  happened, received, state, actor, api_key, trusted, body, content_hash
)
select
  %(bank)s, e.event_id, e.recall_id, e.action, e.memory_id, e.memory_key, e.position, e.value, e.confidence,
  e.annotator, e.happened, %(received)s, e.state, e.actor, %(api_key)s, %(trusted)s, e.body::jsonb, e.content_hash
from unnest(
  %(event_ids)b::text[], %(recall_ids)b::text[], %(actions)b::text[], %(memory_ids)b::text[],
  %(memory_keys)b::bigint[], %(positions)b::int[], %(values)b::real[], %(confidences)b::real[],
  %(annotators)b::text[], %(happened)b::timestamptz[], %(states)b::text[], %(actors)b::text[],
  %(bodies)b::text[], %(hashes)b::bytea[]
) as e (
  event_id, recall_id, action, memory_id, memory_key, position, value, confidence, annotator, happened,
  state, actor, body, content_hash
)
where not exists (select from forgotten_events f where f.bank_id = %(bank)s and f.event_id = e.event_id)
on conflict (bank_id, event_id) do nothing
returning event_id
