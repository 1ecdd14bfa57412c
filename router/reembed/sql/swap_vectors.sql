-- Gives the bank's memories their new vectors.
update memories m set embedding = r.embedding, embedder = r.embedder
from renewed_vectors r
where m.bank_id = %(bank)s and r.bank_id = %(bank)s and r.key = m.key and r.embedder = %(embedder)s
