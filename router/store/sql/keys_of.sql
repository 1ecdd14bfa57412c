-- Keys of the given ids: id, key.
select id, key from memories where bank_id = %(bank)s and id = any(%(ids)s::text[])
