-- Notes that the bank uses the new model.
update reembeddings set swapped_at = %(now)s, problem = null where bank_id = %(bank)s
