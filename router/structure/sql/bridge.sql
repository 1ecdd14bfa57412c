-- Lets what superseded the given memory supersede what it had superseded, in its place: older, newer, and of the deed
-- that is gone the memory whose copy the older one is, and the rule.
with joined as (
  insert into edges (bank_id, src, dst, type, via, strength, made_by, created_at)
  select %(bank)s, n.src, o.dst, 'SUPERSEDES', 0, 1.0, 'caller', o.created_at
  from edges o
  join edges n on n.bank_id = %(bank)s and n.dst = o.src and n.type = 'SUPERSEDES'
  where o.bank_id = %(bank)s and o.src = %(key)s and o.type = 'SUPERSEDES'
  on conflict (bank_id, src, dst, type, via) do nothing
  returning src, dst
)
select j.dst, j.src, a.key, coalesce(s.rule, 'caller')
from joined j
join memories m on m.bank_id = %(bank)s and m.key = j.dst
left join lateral (
  select d.rule, d.along from supersessions d
  where d.bank_id = %(bank)s and d.older = m.id and d.newer = %(id)s and d.deed = 'superseded'
  order by d.number desc limit 1
) s on true
left join memories a on a.bank_id = %(bank)s and a.id = s.along
order by j.dst, j.src
