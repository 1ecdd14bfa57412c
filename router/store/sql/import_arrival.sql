-- Gives memories the time and the content hash they had before, unless somebody has written them anew meanwhile.
update memories m set created_at = x.created_at, content_hash = decode(x.hash, 'hex')
from unnest(%(ids)s::text[], %(created)s::timestamptz[], %(hashes)s::text[], %(bare)s::text[])
       x(id, created_at, hash, bare)
where m.bank_id = %(bank)s and m.id = x.id and encode(m.content_hash, 'hex') in (x.hash, x.bare)
  and (m.created_at, m.content_hash) is distinct from (x.created_at, decode(x.hash, 'hex'))
