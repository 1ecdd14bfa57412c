-- What was asked, and how the bank values events; no row where it wants nothing derived.
select r.id as recall_id, r.question, b.config -> 'event_values' as event_values
from recalls r
join banks b on b.bank_id = r.bank_id
where r.bank_id = %(bank)s and r.id = any(%(recall_ids)s::text[]) and coalesce((b.config ->> 'implicit')::boolean, true)
