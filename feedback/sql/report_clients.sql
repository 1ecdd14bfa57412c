-- Remembers when clients last reported anything.
insert into learner_clients (bank_id, client, reported)
select %(bank)s, c.client, c.reported
from unnest(%(clients)s::text[], %(reported)s::timestamptz[]) as c (client, reported)
on conflict (bank_id, client) do update set reported = greatest(learner_clients.reported, excluded.reported)
