-- Degrees of the given memories, in their order: the summed weight of a memory's %(fan_out)s edges of most weight, both
-- ways, of the types %(said)s and of the others. And these edges of those that pass activation on, as Postgres sends
-- arrays: sources, targets, weights, types.
select d.said, d.seen, x.sources, x.targets, x.weights, x.types
from (
  select array_agg(s.said order by f.place) as said, array_agg(s.seen order by f.place) as seen
  from unnest(%(keys)s::bigint[]) with ordinality f(key, place)
  cross join lateral (
    select coalesce(sum(e.weight) filter (where e.type = any(%(said)s::text[])), 0) as said,
           coalesce(sum(e.weight) filter (where e.type <> all(%(said)s::text[])), 0) as seen
    from (
      (select o.weight, o.type from edges o
       where o.bank_id = %(bank)s and o.src = f.key and o.weight > 0
       order by o.weight desc limit %(fan_out)s)
      union all
      (select i.weight, i.type from edges i
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
