-- Memories that the given names stand for, of names that are not common: name, key; at most %(most)s + 1 a name.
select n.name, s.key
from unnest(%(names)s::bigint[]) n(name)
cross join lateral (
  select i.key from subjects i
  where i.bank_id = %(bank)s and i.name = n.name and not i.is_common
  order by i.key limit %(most)s + 1
) s
