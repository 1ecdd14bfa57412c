-- The events of one recall, in the order they happened.
select event_id, action, memory_id, memory_key, position, value, confidence, annotator, happened, received,
  state, actor, api_key, trusted, applied_version, body
from events
where bank_id = %(bank)s and recall_id = %(recall_id)s
order by happened, event_id
