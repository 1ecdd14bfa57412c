-- Memories that the given one replaced stay superseded, and name another successor if they have one, else none.
update memories m set superseded_by = (
  select i.src from edges i
  where i.bank_id = %(bank)s and i.dst = m.key and i.type = 'SUPERSEDES' and i.src <> %(key)s
  order by i.created_at, i.src limit 1)
from edges e
where e.bank_id = %(bank)s and e.src = %(key)s and e.type = 'SUPERSEDES'
  and m.bank_id = %(bank)s and m.key = e.dst and m.superseded_by = %(key)s
