-- Edges of the given memories and of those that their activation reaches strongest, at most %(fan_out)s a memory by
-- weight, both ways; one row of arrays as Postgres sends them: sources, targets, weights, types.
-- Thousands of rows cost the driver more than the search does. The cap is not a tuning: one hub without it costs
-- seconds. "weight > 0" leaves out types that this release does not know.
with seeds as materialized (
  select s.key, s.mass from unnest(%(keys)s::bigint[], %(masses)s::float8[]) s(key, mass)
),
near as materialized (
  select s.key, s.mass, e.other, e.weight, e.type
  from seeds s
  cross join lateral (
    (select o.dst as other, o.weight, o.type from edges o
     where o.bank_id = %(bank)s and o.src = s.key and o.weight > 0
     order by o.weight desc, o.dst limit %(fan_out)s)
    union all
    (select i.src, i.weight, i.type from edges i
     where i.bank_id = %(bank)s and i.dst = s.key and i.weight > 0
     order by i.weight desc, i.src limit %(fan_out)s)
    order by weight desc, other limit %(fan_out)s
  ) e
),
further as (
  select n.other as key from near n
  where n.other <> all(%(keys)s::bigint[])
  group by n.other
  order by sum(n.mass * n.weight) desc, n.other limit %(reach)s
)
select array_send(array_agg(x.key)), array_send(array_agg(x.other)), array_send(array_agg(x.weight)),
       string_agg(x.type, ',')
from (
  select n.key, n.other, n.weight, n.type from near n
  union all
  select f.key, e.other, e.weight, e.type
  from further f
  cross join lateral (
    (select o.dst as other, o.weight, o.type from edges o
     where o.bank_id = %(bank)s and o.src = f.key and o.weight > 0
     order by o.weight desc, o.dst limit %(fan_out)s)
    union all
    (select i.src, i.weight, i.type from edges i
     where i.bank_id = %(bank)s and i.dst = f.key and i.weight > 0
     order by i.weight desc, i.src limit %(fan_out)s)
    order by weight desc, other limit %(fan_out)s
  ) e
) x
