-- Gives the bank's memories their new token vectors, where the model gives any.
insert into memory_tokens (bank_id, key, embedder, tokens)
select r.bank_id, r.key, r.embedder, r.tokens from renewed_vectors r
where r.bank_id = %(bank)s and r.embedder = %(embedder)s and r.tokens is not null
