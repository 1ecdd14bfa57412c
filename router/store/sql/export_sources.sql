-- The evidence behind observations, by memory id.
select m.id as observation, s.id, s.text, s.happened, s.proofs, encode(s.content_hash, 'hex') as content_hash, s.at
from observation_sources s
join memories m on m.bank_id = %(bank)s and m.key = s.key
where s.bank_id = %(bank)s
order by s.at, s.id
