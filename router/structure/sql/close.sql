-- Closes memories that others replace, from the replacing one's time on; one that is closed and names no successor any
-- more gets this one: key, whether it was current until now.
update memories m set expired_at = coalesce(m.expired_at, %(now)s), superseded_by = x.newer,
  invalid_at = coalesce(m.invalid_at, n.valid_at, n.happened, %(now)s)
from unnest(%(older)s::bigint[], %(newer)s::bigint[]) x(older, newer)
join memories n on n.bank_id = %(bank)s and n.key = x.newer
join memories p on p.bank_id = %(bank)s and p.key = x.older
where m.bank_id = %(bank)s and m.key = x.older and (m.expired_at is null or m.superseded_by is null)
returning m.key, p.expired_at is null
