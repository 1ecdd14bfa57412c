-- Removes the postings of the given memories: key, term, length, own of each.
-- As float8, because a real is sent as its shortest decimal, which is not the number that is stored.
delete from postings where bank_id = %(bank)s and key = any(%(keys)s::bigint[])
returning key, term, length::float8, own
