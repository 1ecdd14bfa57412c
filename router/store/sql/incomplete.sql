-- The bank's memories, and how many lack what recall needs: rows, other_model, no_vector, no_tokens, no_postings.
-- A text without words has no direction and nothing to index, so it lacks nothing.
select count(*),
       count(*) filter (where m.embedder <> %(embedder)s),
       count(*) filter (where m.words > 0 and m.embedding is null),
       count(*) filter (where m.embedding is not null and not exists (
         select from memory_tokens t where t.bank_id = m.bank_id and t.key = m.key and t.embedder = m.embedder)),
       count(*) filter (where m.words > 0 and not exists (
         select from postings p where p.bank_id = m.bank_id and p.key = m.key))
from memories m where m.bank_id = %(bank)s
