-- Edges in bulk; one that exists keeps the greater strength.
insert into edges as e (bank_id, src, dst, type, via, strength, made_by, created_at)
select %(bank)s, x.src, x.dst, x.type, x.via, x.strength, x.maker, %(now)s
from unnest(%(srcs)s::bigint[], %(dsts)s::bigint[], %(types)s::text[], %(vias)s::bigint[],
            %(strengths)s::real[], %(makers)s::text[]) x(src, dst, type, via, strength, maker)
on conflict (bank_id, src, dst, type, via) do update set strength = greatest(e.strength, excluded.strength)
