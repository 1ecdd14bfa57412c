-- Vectors of current memories in the order of arrival, from after a key on; columns as in vectors_of.sql.
select m.key, halfvec_send(m.embedding) from memories m
where m.bank_id = %(bank)s and m.key > %(after)s and m.embedding is not null
  and m.embedder = %(embedder)s and m.expired_at is null and m.period is null
order by m.key
limit %(limit)s
