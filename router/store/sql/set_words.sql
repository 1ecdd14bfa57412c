-- Puts words beside their hashes.
update term_stats t set word = x.word
from unnest(%(terms)s::bigint[], %(words)s::text[]) x(term, word)
where t.bank_id = %(bank)s and t.term = x.term and t.word is null
