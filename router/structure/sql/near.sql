-- Current memories that the fresh ones are linked to by likeness, an entity or a rare word, the strongest first, at
-- most %(limit)s each: fresh key, then key, text, speaker, time, whether the fresh one comes later in the world.
select f.key, m.key, m.text, m.speaker,
       (coalesce(f.happened, f.created_at), f.key) > (coalesce(m.happened, m.created_at), m.key)
from unnest(%(keys)s::bigint[]) k(key)
join memories f on f.bank_id = %(bank)s and f.key = k.key and f.expired_at is null
cross join lateral (
  select x.other, max(x.strength) as strength from (
    select e.dst as other, e.strength from edges e
    where e.bank_id = %(bank)s and e.src = f.key and e.type in ('SIMILAR_TO', 'SHARES_ENTITY', 'SHARES_RARE_TERM')
    union all
    select e.src, e.strength from edges e
    where e.bank_id = %(bank)s and e.dst = f.key and e.type in ('SIMILAR_TO', 'SHARES_ENTITY', 'SHARES_RARE_TERM')
  ) x
  group by x.other order by 2 desc, 1 limit %(limit)s
) x
join memories m on m.bank_id = %(bank)s and m.key = x.other and m.expired_at is null and not m.is_question
order by f.key, x.strength desc, m.key
