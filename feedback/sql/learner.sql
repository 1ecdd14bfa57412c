-- A bank's learner as it stands; columns as in claim_learner.sql.
select status, why, batch, version, state, settings, serving
from learners
where bank_id = %(bank)s
