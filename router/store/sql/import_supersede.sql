-- Closes memories that others replace, as writing these had done: a row for each that was current.
update memories m set expired_at = n.created_at, superseded_by = n.key,
  invalid_at = coalesce(m.invalid_at, n.valid_at, n.happened, n.created_at)
from unnest(%(older)s::text[], %(newer)s::text[]) x(older, newer)
join memories n on n.bank_id = %(bank)s and n.id = x.newer
where m.bank_id = %(bank)s and m.id = x.older and m.expired_at is null
returning m.key
