-- Gives a bank a learner that knows nothing, unless it has one or the bank is gone.
insert into learners (bank_id, updated_at)
select bank_id, %(now)s from banks where bank_id = %(bank)s
on conflict (bank_id) do nothing
