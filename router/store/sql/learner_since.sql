-- What a bank's residual ranker adds to answers; only where its learner has moved on from a time.
select updated_at, case when updated_at is distinct from %(known)s then serving end as serving
from learners
where bank_id = %(bank)s
