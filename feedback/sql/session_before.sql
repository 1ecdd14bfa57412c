-- What was asked before these recalls in their sessions by the same actor, the latest first, and whether anything of
-- it was taken up by then. Recalls without a session, and banks that want nothing derived, give no row.
select r.id as recall_id, r.at, r.question, p.id as before_id, p.at as before_at, p.question as before_question,
  exists (
    select from events e
    where e.bank_id = p.bank_id and e.recall_id = p.id and e.value > 0 and e.received <= r.at
  ) as taken_up,
  b.config -> 'event_values' as event_values
from recalls r
join banks b on b.bank_id = r.bank_id
cross join lateral (
  select q.bank_id, q.id, q.at, q.question
  from recalls q
  where q.bank_id = r.bank_id and q.session = r.session and q.actor = r.actor
    and q.at < r.at and q.at >= r.at - %(within)s
  order by q.at desc, q.id desc
  limit %(most)s
) p
where r.bank_id = %(bank)s and r.id = any(%(recall_ids)s::text[]) and r.session is not null
  and coalesce((b.config ->> 'implicit')::boolean, true)
order by r.at, r.id, p.at desc, p.id desc
