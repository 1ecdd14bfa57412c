-- Gives memories the state that the edges left in place say, the earliest one first: key, whether it is current.
update memories m set superseded_by = x.src, expired_at = x.created_at, invalid_at = coalesce(x.begins, x.created_at)
from (select k.key, e.src, e.created_at, coalesce(n.valid_at, n.happened) as begins
      from unnest(%(keys)s::bigint[]) k(key)
      left join lateral (select i.src, i.created_at from edges i
                         where i.bank_id = %(bank)s and i.dst = k.key and i.type = 'SUPERSEDES'
                         order by i.created_at, i.src limit 1) e on true
      left join memories n on n.bank_id = %(bank)s and n.key = e.src) x
where m.bank_id = %(bank)s and m.key = x.key and m.expired_at is not null
returning m.key, m.expired_at is null
