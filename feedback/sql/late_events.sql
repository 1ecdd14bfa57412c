-- Late events not yet learnt from whose recall has been, by recall and id; columns as in joined_events.sql.
select e.event_id, e.recall_id, e.action, e.memory_key, e.value, e.confidence, e.trusted, e.api_key, e.received,
  coalesce(e.body -> 'router' -> 'used_ids', e.body -> 'used_ids') as used_ids,
  e.annotator like 'implicit:%%' as is_derived, e.state = 'late' as is_late
from events e
join recalls r on r.bank_id = e.bank_id and r.id = e.recall_id
where e.bank_id = %(bank)s and e.state = 'late' and e.learned_batch is null and r.learned_batch is not null
order by e.recall_id, e.event_id
limit %(limit)s
