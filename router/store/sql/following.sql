-- Turns of the same episodes that follow the given ones, at most %(reach)s behind each: key.
select distinct w.key
from memories f
cross join lateral (
  select m.key from memories m
  where m.bank_id = %(bank)s and m.episode = f.episode
    and (coalesce(m.happened, '-infinity'::timestamptz), coalesce(m.position, 0), m.key)
        > (coalesce(f.happened, '-infinity'::timestamptz), coalesce(f.position, 0), f.key)
  order by coalesce(m.happened, '-infinity'::timestamptz), coalesce(m.position, 0), m.key limit %(reach)s
) w
where f.bank_id = %(bank)s and f.key = any(%(keys)s::bigint[]) and f.episode is not null
order by w.key
