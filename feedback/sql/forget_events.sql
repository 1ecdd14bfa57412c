-- Deletes the events on an actor's recalls: how many there were.
delete from events
where bank_id = %(bank)s and actor = %(actor)s
