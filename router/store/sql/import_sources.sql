-- Writes one piece of evidence, its observation named by id.
insert into observation_sources (bank_id, key, id, text, happened, proofs, content_hash, at)
select %(bank)s, m.key, %(id)s, %(text)s, %(happened)s, %(proofs)s, decode(%(content_hash)s, 'hex'), %(at)s
from memories m where m.bank_id = %(bank)s and m.id = %(observation)s
