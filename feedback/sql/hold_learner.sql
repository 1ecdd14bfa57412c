-- Holds a learner that is on.
update learners
set status = 'frozen', why = %(why)s, updated_at = %(now)s
where bank_id = %(bank)s and status = 'on'
