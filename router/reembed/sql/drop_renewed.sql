-- Removes the bank's new vectors from beside its memories.
delete from renewed_vectors where bank_id = %(bank)s
