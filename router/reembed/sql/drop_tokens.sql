-- Removes the bank's token vectors.
delete from memory_tokens where bank_id = %(bank)s
