-- Degrees of the given memories, in their order: the summed weight of a memory's %(fan_out)s edges of most weight, both
-- ways. And these edges of those that pass activation on, as Postgres sends arrays: sources, targets, weights, types.
select d.degrees, x.sources, x.targets, x.weights, x.types
from (
  select array_agg(s.degree order by f.place) as degrees
  from unnest(%(keys)s::bigint[]) with ordinality f(key, place)
  cross join lateral (
    select coalesce(sum(e.weight), 0) as degree from (
      (select o.weight from edges o
       where o.bank_id = %(bank)s and o.src = f.key and o.weight > 0
       order by o.weight desc limit %(fan_out)s)
      union all
      (select i.weight from edges i
       where i.bank_id = %(bank)s and i.dst = f.key and i.weight > 0
       order by i.weight desc limit %(fan_out)s)
      order by weight desc limit %(fan_out)s
    ) e
  ) s
) d,
(
  select array_send(array_agg(f.key)) as sources, array_send(array_agg(e.other)) as targets,
         array_send(array_agg(e.weight)) as weights, string_agg(e.type, ',') as types
  from unnest(%(passing)s::bigint[]) f(key)
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
