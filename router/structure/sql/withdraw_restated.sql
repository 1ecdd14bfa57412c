-- Withdraws what was said of copies of memories that are current again.
update proposals set state = 'withdrawn'
where bank_id = %(bank)s and about = any(%(keys)s::bigint[]) and rule = 'restates_superseded' and state = 'open'
