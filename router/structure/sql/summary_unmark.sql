-- Takes the marks off the given days.
delete from summary_days where bank_id = %(bank)s and day = any(%(days)s::date[])
