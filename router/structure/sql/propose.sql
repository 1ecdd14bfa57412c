-- Adds proposals; a pair that is known stays as it is, but for one withdrawn, which opens again: numbers of the open.
insert into proposals as p (bank_id, number, older, newer, about, rule, evidence, state, at)
select %(bank)s, l.last + x.place, x.older, x.newer, x.about, x.rule, x.evidence, 'open', %(now)s
from unnest(%(older)s::bigint[], %(newer)s::bigint[], %(about)s::bigint[], %(rules)s::text[], %(evidence)s::jsonb[])
       with ordinality x(older, newer, about, rule, evidence, place)
cross join (select coalesce(max(number), 0)::int as last from proposals where bank_id = %(bank)s) l
on conflict (bank_id, older, newer) do update
  set state = 'open', about = excluded.about, rule = excluded.rule, evidence = excluded.evidence, at = excluded.at
  where p.state = 'withdrawn' or (p.state = 'open' and p.about is null and excluded.about is not null)
returning p.number
