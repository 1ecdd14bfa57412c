-- Parked events of these recalls, in a fixed order, locked.
select event_id, recall_id, received, body, api_key, trusted
from events
where bank_id = %(bank)s and recall_id = any(%(recall_ids)s) and state = 'parked'
order by event_id
for update
