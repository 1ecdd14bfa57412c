-- Memories with that many bytes of token vectors, after a key: key, text, speaker, title, context, content hash.
select m.key, m.text, m.speaker, m.title, m.context, m.content_hash
from memory_tokens t join memories m on m.bank_id = %(bank)s and m.key = t.key
where t.bank_id = %(bank)s and t.embedder = %(embedder)s and octet_length(t.tokens) = %(bytes)s and t.key > %(after)s
order by m.key
limit %(limit)s
