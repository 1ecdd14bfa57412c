-- Recalls that exist and still have parked events: what a crash between two commits leaves behind.
select e.bank_id, array_agg(distinct e.recall_id) as recall_ids
from events e
join recalls r on r.bank_id = e.bank_id and r.id = e.recall_id
where e.state = 'parked'
group by e.bank_id
order by e.bank_id
