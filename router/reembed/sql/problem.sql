-- Says why the work on a bank does not get on.
update reembeddings set problem = %(problem)s where bank_id = %(bank)s and embedder = %(embedder)s
