-- One row when the bank holds token vectors of a text that its model may not have read to the end.
select 1
from memory_tokens t join memories m on m.bank_id = %(bank)s and m.key = t.key
where t.bank_id = %(bank)s and t.embedder = %(embedder)s and octet_length(m.text) >= %(short)s
limit 1
