-- Writes packed token vectors of memories, or replaces them.
insert into memory_tokens (bank_id, key, embedder, tokens)
select %(bank)s, x.key, %(embedder)s, x.tokens
from unnest(%(keys)s::bigint[], %(tokens)s::bytea[]) x(key, tokens)
on conflict (bank_id, key) do update set embedder = excluded.embedder, tokens = excluded.tokens
