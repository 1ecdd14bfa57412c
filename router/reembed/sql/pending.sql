-- Memories that have no vector of the new model, or changed since: key, text, speaker, title, context, content hash.
select m.key, m.text, m.speaker, m.title, m.context, m.content_hash
from memories m
left join renewed_vectors r on r.bank_id = %(bank)s and r.key = m.key
  and r.embedder = %(embedder)s and r.content_hash = m.content_hash
where m.bank_id = %(bank)s and r.key is null
order by m.key
limit %(limit)s
