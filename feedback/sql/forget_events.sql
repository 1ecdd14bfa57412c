-- Deletes an actor's events and keeps their ids: how many there were. Events that wait in vain for a recall have no actor
-- yet; theirs is told as a recall's is: its user, else its client, else the key it came with.
with gone as (
  delete from events e
  where e.bank_id = %(bank)s and (
    e.actor = %(actor)s
    or e.actor is null and coalesce(
      (select r.actor from recalls r where r.bank_id = e.bank_id and r.id = e.recall_id),
      nullif(e.body ->> 'user_id', ''), nullif(e.body ->> 'client_id', ''), e.api_key
    ) = %(actor)s
  )
  returning e.bank_id, e.event_id
), kept as (
  insert into forgotten_events (bank_id, event_id)
  select bank_id, event_id from gone
  on conflict do nothing
)
select count(*) from gone
