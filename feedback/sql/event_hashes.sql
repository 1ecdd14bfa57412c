-- Content of the events that are already in the bank; null for those that were deleted with their actor's.
select event_id, content_hash
from events
where bank_id = %(bank)s and event_id = any(%(event_ids)b::text[])
union all
select event_id, null
from forgotten_events
where bank_id = %(bank)s and event_id = any(%(event_ids)b::text[])
