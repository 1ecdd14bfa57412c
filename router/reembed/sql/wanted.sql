-- Whether the bank is still to move to that model; one row if so.
select embedder from reembeddings where bank_id = %(bank)s and embedder = %(embedder)s and swapped_at is null
