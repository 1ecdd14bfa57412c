-- Content of the events that are already in the bank.
select event_id, content_hash
from events
where bank_id = %(bank)s and event_id = any(%(event_ids)b::text[])
