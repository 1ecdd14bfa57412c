-- Evidence that is counted already: its id, its content's hash, the id of the observation it stands behind.
select s.id, s.content_hash, m.id
from observation_sources s join memories m on m.bank_id = %(bank)s and m.key = s.key
where s.bank_id = %(bank)s and (s.id = any(%(ids)s::text[]) or s.content_hash = any(%(hashes)s::bytea[]))
order by s.id
