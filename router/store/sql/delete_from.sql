-- Removes a bank's rows from one of our own tables, named in code.
delete from {table} where bank_id = %(bank)s
