-- What the named recalls showed. Locked in id order until the events are in, so that a recall
-- cannot close between the check and the insert, and two requests never wait for each other crosswise.
select id as recall_id, at, closed_at, actor, shown_from, shown_keys, shown_ids
from recalls
where bank_id = %(bank)s and id = any(%(recall_ids)b::text[])
order by id
for no key update
