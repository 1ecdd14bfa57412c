-- Removes the bank itself.
delete from banks where bank_id = %(bank)s
