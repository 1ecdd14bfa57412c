-- Removes the bank's episode vectors.
delete from episodes where bank_id = %(bank)s
