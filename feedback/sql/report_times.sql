-- When the clients of these recalls last sent an event on one of them, in time or late; nothing that was derived here.
select coalesce(nullif(r.client, ''), nullif(r.api_key, ''), '') as client, max(e.received) as reported
from recalls r
join events e on e.bank_id = r.bank_id and e.recall_id = r.id
where r.bank_id = %(bank)s and r.id = any(%(recall_ids)s::text[]) and e.state in ('joined', 'late')
  and e.annotator not like 'implicit:%%'
group by 1
order by 1
