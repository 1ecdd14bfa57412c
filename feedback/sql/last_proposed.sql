-- Rows that a held learner would have published last; none once it published, or came back to the live ones.
select proposed
from learner_batches
where bank_id = %(bank)s and proposed is not null
  and batch > coalesce((
    select max(batch) from learner_batches
    where bank_id = %(bank)s and (version is not null or verdict ->> 'reason' = 'unchanged')
  ), 0)
order by batch desc
limit 1
