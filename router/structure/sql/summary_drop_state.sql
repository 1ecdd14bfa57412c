-- Forgets what the bank's summaries were made for, and the days that wait.
with days as (delete from summary_days where bank_id = %(bank)s)
delete from summary_states where bank_id = %(bank)s
