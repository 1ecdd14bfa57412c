-- A bank's learner, locked; no row while another worker has it.
select status, why, batch, version, state, settings, serving
from learners
where bank_id = %(bank)s
for update skip locked
