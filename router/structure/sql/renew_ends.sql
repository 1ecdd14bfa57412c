-- Ends the validity of superseded memories with the time of their successor; without one, when they were superseded.
update memories m set invalid_at = coalesce(n.valid_at, n.happened, m.expired_at)
from memories n
where m.bank_id = %(bank)s and m.key = any(%(keys)s::bigint[]) and m.expired_at is not null
  and n.bank_id = %(bank)s and n.key = m.superseded_by
