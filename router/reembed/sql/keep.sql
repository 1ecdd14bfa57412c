-- Keeps a memory's new vectors beside it; nothing when the memory is gone or the model no longer wanted.
insert into renewed_vectors (bank_id, key, embedder, content_hash, embedding, tokens)
select %(bank)s, m.key, %(embedder)s, %(hash)s, %(embedding)s, %(tokens)s
from memories m where m.bank_id = %(bank)s and m.key = %(key)s
  and exists (select from reembeddings j
              where j.bank_id = %(bank)s and j.embedder = %(embedder)s and j.swapped_at is null)
on conflict (bank_id, key) do update set embedder = excluded.embedder, content_hash = excluded.content_hash,
  embedding = excluded.embedding, tokens = excluded.tokens
