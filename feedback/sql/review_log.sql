-- All reviews on record of the memories that an actor has reviewed, in the order they came: memory, action, when, and
-- whether the actor's.
select e.memory_key, e.action, e.received, e.actor = %(actor)s
from events e
where e.bank_id = %(bank)s and e.state in ('joined', 'late') and e.action = any(%(actions)s::text[])
  and e.memory_key in (
    select memory_key from events
    where bank_id = %(bank)s and actor = %(actor)s and action = any(%(actions)s::text[])
  )
order by e.received, e.happened, e.event_id
