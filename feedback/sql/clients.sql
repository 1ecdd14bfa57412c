-- When these clients last reported anything.
select client, reported
from learner_clients
where bank_id = %(bank)s and client = any(%(clients)s::text[])
