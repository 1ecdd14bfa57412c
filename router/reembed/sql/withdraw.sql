-- Takes back a request that is not fulfilled yet.
delete from reembeddings where bank_id = %(bank)s and swapped_at is null
