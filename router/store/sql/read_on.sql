-- Gives a memory other vectors of the model it has, unless it has changed meanwhile.
with kept as (
  update memories set embedding = %(embedding)s
  where bank_id = %(bank)s and key = %(key)s and embedder = %(embedder)s and content_hash = %(hash)s
  returning key
)
update memory_tokens t set tokens = %(tokens)s
from kept k
where t.bank_id = %(bank)s and t.key = k.key and t.embedder = %(embedder)s
