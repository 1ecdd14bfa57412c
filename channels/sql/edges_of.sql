-- Edges of the given memories, both ways, at most %(fan_out)s a memory by weight: from, to, type, weight.
-- The cap is not a tuning: one hub without it costs seconds. The indexes know strength but not weight, so four times
-- as many are looked at: a trusted type of edge stays in although many words shared by two memories are stronger.
select f.key, e.other, e.type, e.weight
from unnest(%(keys)s::bigint[]) f(key)
cross join lateral (
  select x.other, x.type, x.weight from (
    (select o.dst as other, o.type, o.strength * w.weight as weight
     from edges o join unnest(%(types)s::text[], %(weights)s::float8[]) w(type, weight) on w.type = o.type
     where o.bank_id = %(bank)s and o.src = f.key
     order by o.strength desc, o.dst limit 4 * %(fan_out)s)
    union all
    (select i.src, i.type, i.strength * w.weight
     from edges i join unnest(%(types)s::text[], %(weights)s::float8[]) w(type, weight) on w.type = i.type
     where i.bank_id = %(bank)s and i.dst = f.key
     order by i.strength desc, i.src limit 4 * %(fan_out)s)
  ) x
  order by x.weight desc, x.other limit %(fan_out)s
) e
