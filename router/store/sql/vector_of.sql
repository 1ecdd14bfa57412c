-- Whether a memory has a vector, and how many token vectors (null: its model gives none).
select m.embedding is not null, octet_length(t.tokens) / 66
from memories m
left join memory_tokens t on t.bank_id = %(bank)s and t.key = m.key
where m.bank_id = %(bank)s and m.key = %(key)s
