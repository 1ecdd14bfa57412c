-- A bank's learner; its state and what it was learnt with only where it has moved on from a batch.
select status, batch,
  case when batch is distinct from %(known)s then state end as state,
  case when batch is distinct from %(known)s then settings end as settings
from learners
where bank_id = %(bank)s
