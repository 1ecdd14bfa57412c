-- Memories that bear one of the ids or one of the hashes: key, id, content_hash.
select key, id, content_hash from memories
where bank_id = %(bank)s and (id = any(%(ids)s::text[]) or content_hash = any(%(hashes)s::bytea[]))
order by key desc  -- of several with one content the first stored is the one
