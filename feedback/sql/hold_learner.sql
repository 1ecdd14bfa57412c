-- Holds a learner that is on. What the residual ranker added ends with it: else rows of a person were not heard.
update learners
set status = case when status = 'on' then 'frozen' else status end,
  why = case when status = 'on' then %(why)s else why end,
  serving = null, updated_at = %(now)s
where bank_id = %(bank)s
