-- What the named recalls showed. Locked in id order until the events are in, so that a recall
-- cannot close between the check and the insert, and two requests never wait for each other crosswise.
-- One that was learnt from is closed, whatever the clock of a request that waited says.
select id as recall_id, at, case when learned_batch is null then closed_at else coalesce(closed_at, at) end as closed_at,
  actor, shown_from, shown_keys, shown_ids
from recalls
where bank_id = %(bank)s and id = any(%(recall_ids)b::text[])
order by id
for no key update
