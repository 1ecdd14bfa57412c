-- Gives up on events whose recall never came. Rows that somebody is joining just now are left to them.
with old as (
  select bank_id, event_id
  from events
  where state = 'parked' and received < %(before)s
  for update skip locked
)
update events
set state = 'expired'
from old
where events.bank_id = old.bank_id and events.event_id = old.event_id
