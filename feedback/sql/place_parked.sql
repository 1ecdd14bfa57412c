-- Gives parked events the place that their recall decides.
update events
set state = p.state, actor = p.actor, memory_key = p.memory_key
from unnest(%(event_ids)s::text[], %(states)s::text[], %(actors)s::text[], %(memory_keys)s::bigint[])
  as p (event_id, state, actor, memory_key)
where events.bank_id = %(bank)s and events.event_id = p.event_id and events.state = 'parked'
