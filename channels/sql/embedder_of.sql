-- The model that a bank uses now: its number.
select embedder from banks where bank_id = %(bank)s
