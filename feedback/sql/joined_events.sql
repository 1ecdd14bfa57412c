-- Events of recalls that came in time, by recall and id: what credit needs of each.
select e.event_id, e.recall_id, e.action, e.memory_key, e.value, e.confidence, e.trusted, e.api_key, e.received,
  coalesce(e.body -> 'router' -> 'used_ids', e.body -> 'used_ids') as used_ids,
  e.annotator like 'implicit:%%' as is_derived, e.state = 'late' as is_late
from events e
where e.bank_id = %(bank)s and e.recall_id = any(%(recall_ids)s::text[]) and e.state = 'joined'
order by e.recall_id, e.event_id
