-- From now on the bank's questions and memories use the new model.
update banks set embedder = %(embedder)s where bank_id = %(bank)s
