-- The work on a bank is done.
delete from reembeddings where bank_id = %(bank)s and embedder = %(embedder)s
