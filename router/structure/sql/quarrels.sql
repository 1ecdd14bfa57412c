-- What stands open about the given current memories: key, rule, the other one's id, the id they quarrel over.
select x.key, p.rule, o.id, a.id
from unnest(%(keys)s::bigint[]) x(key)
join memories m on m.bank_id = %(bank)s and m.key = x.key and m.expired_at is null
join lateral (
  select p.rule, p.newer as other, p.about from proposals p
  where p.bank_id = %(bank)s and p.older = x.key and p.state = 'open'
    and p.rule in ('two_successors', 'restates_superseded')
  union all
  select p.rule, p.older, p.about from proposals p
  where p.bank_id = %(bank)s and p.newer = x.key and p.state = 'open' and p.rule = 'two_successors'
) p on true
join memories o on o.bank_id = %(bank)s and o.key = p.other and o.expired_at is null
left join memories a on a.bank_id = %(bank)s and a.key = p.about
order by x.key, p.rule, o.id
