-- Edges of one memory, both ways, strongest first: id, type, strength, direction, made_by, created_at, when the edge is
-- valid: as long as both its ends are, from valid_from up to valid_to, null where there is no end; and what it goes by,
-- which completes its place in the list. With %(strength)s and the rest of a place only what follows it. With %(as_of)s
-- only edges valid then. What replaces a memory begins when that one ends: such an edge is no state, and always shown.
select x.id, x.type, x.strength, x.direction, x.made_by, x.created_at, x.valid_from, x.valid_to, x.via
from (
  select m.id, e.type, e.strength, e.direction, e.made_by, e.created_at, e.via,
         greatest(coalesce(m.valid_at, m.happened, m.created_at), coalesce(o.valid_at, o.happened, o.created_at))
           as valid_from,
         least(m.invalid_at, o.invalid_at) as valid_to
  from (
    select dst as other, type, strength, 'out' as direction, made_by, created_at, via from edges
    where bank_id = %(bank)s and src = %(key)s
    union all
    select src, type, strength, 'in', made_by, created_at, via from edges
    where bank_id = %(bank)s and dst = %(key)s
  ) e
  join memories m on m.bank_id = %(bank)s and m.key = e.other
  join memories o on o.bank_id = %(bank)s and o.key = %(key)s
) x
where (%(as_of)s::timestamptz is null or x.type = 'SUPERSEDES'
       or (x.valid_from <= %(as_of)s::timestamptz and (x.valid_to is null or x.valid_to > %(as_of)s::timestamptz)))
  and (%(strength)s::real is null or x.strength < %(strength)s::real
       or (x.strength = %(strength)s::real
           and (x.type, x.id, x.direction, x.via)
             > (%(type)s::text, %(id)s::text, %(direction)s::text, %(via)s::bigint)))
order by x.strength desc, x.type, x.id, x.direction, x.via
limit %(limit)s
