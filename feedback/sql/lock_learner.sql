-- A bank's learner, locked as soon as nobody else has it; columns as in claim_learner.sql.
select status, why, batch, version, state, settings, serving
from learners
where bank_id = %(bank)s
for update
