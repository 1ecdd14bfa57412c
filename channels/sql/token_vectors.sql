-- Packed token vectors of the given memories, where they were made by the asked model: key, tokens.
select key, tokens from memory_tokens
where bank_id = %(bank)s and key = any(%(keys)s::bigint[]) and embedder = %(embedder)s
