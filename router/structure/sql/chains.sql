-- All that each given memory replaced, directly or through others, the oldest first: key, then the older one's id,
-- text, valid from, valid to, the id of what replaced it, and rule, reason, author and time of that deed.
with recursive down as (
  select k.key as start, e.src, e.dst
  from unnest(%(keys)s::bigint[]) k(key)
  join edges e on e.bank_id = %(bank)s and e.src = k.key and e.type = 'SUPERSEDES'
  union
  select d.start, e.src, e.dst
  from down d join edges e on e.bank_id = %(bank)s and e.src = d.dst and e.type = 'SUPERSEDES'
)
select d.start, o.id, o.text, coalesce(o.valid_at, o.happened, o.created_at), o.invalid_at, n.id,
       s.rule, s.reason, s.author, s.at
from down d
join memories o on o.bank_id = %(bank)s and o.key = d.dst
join memories n on n.bank_id = %(bank)s and n.key = d.src
left join lateral (
  select a.rule, a.reason, a.author, a.at from supersessions a
  where a.bank_id = %(bank)s and a.older = o.id and a.newer = n.id and a.deed = 'superseded'
  order by a.number desc limit 1
) s on true
order by d.start, 4, o.key, n.key
limit %(limit)s
