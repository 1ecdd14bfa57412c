-- The memory of that id as deletion needs it: key, whether it is current.
select key, expired_at is null from memories where bank_id = %(bank)s and id = %(id)s
