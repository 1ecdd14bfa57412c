-- Gives memories the state they had: superseded_by names a memory by id.
update memories m set expired_at = x.expired_at, invalid_at = x.invalid_at, superseded_by = s.key
from unnest(%(ids)s::text[], %(expired)s::timestamptz[], %(invalid)s::timestamptz[], %(by)s::text[])
       x(id, expired_at, invalid_at, by)
left join memories s on s.bank_id = %(bank)s and s.id = x.by
where m.bank_id = %(bank)s and m.id = x.id
  and (m.expired_at, m.invalid_at, m.superseded_by) is distinct from (x.expired_at, x.invalid_at, s.key)
