-- Every feedback event, the oldest first, with memories by id and without the API key.
select event_id, recall_id, action, memory_id, position, value, confidence, annotator, happened, received, state,
       actor, trusted, body, encode(content_hash, 'hex') as content_hash, applied_version
from events
where bank_id = %(bank)s
order by received, event_id
