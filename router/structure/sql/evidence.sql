-- Evidence of the given ids that no memory bears: id, text, happened, proofs, at, id of the observation.
select s.id, s.text, s.happened, s.proofs, s.at, m.id
from observation_sources s join memories m on m.bank_id = %(bank)s and m.key = s.key
where s.bank_id = %(bank)s and s.id = any(%(ids)s::text[])
  and not exists (select from memories o where o.bank_id = %(bank)s and o.id = s.id)
