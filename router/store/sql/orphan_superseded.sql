-- Memories that the given one replaced stay superseded, but name no successor any more.
update memories m set superseded_by = null
from edges e
where e.bank_id = %(bank)s and e.src = %(key)s and e.type = 'SUPERSEDES'
  and m.bank_id = %(bank)s and m.key = e.dst and m.superseded_by = %(key)s
