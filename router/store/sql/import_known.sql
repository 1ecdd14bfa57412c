-- Memories that bear one of the ids: id, content_hash in hexadecimal.
select id, encode(content_hash, 'hex') from memories where bank_id = %(bank)s and id = any(%(ids)s::text[])
