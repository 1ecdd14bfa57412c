-- The summaries of the given periods, and what bears their ids: id, key, hash as made (null: not made by us), hash of
-- what it was made from, hash now, whether current.
select m.id, m.key, s.made_hash, s.source_hash, m.content_hash, m.expired_at is null
from memories m
left join summaries s on s.bank_id = %(bank)s and s.key = m.key
where m.bank_id = %(bank)s and m.id = any(%(ids)s::text[])
