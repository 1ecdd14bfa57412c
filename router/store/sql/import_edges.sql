-- Writes edges that callers gave, by id; one that is there already stays as it is.
insert into edges as e (bank_id, src, dst, type, via, strength, made_by, created_at)
select %(bank)s, s.key, d.key, x.type, 0, x.strength, 'caller', x.created_at
from unnest(%(sources)s::text[], %(targets)s::text[], %(types)s::text[], %(strengths)s::real[],
            %(created)s::timestamptz[]) x(source, target, type, strength, created_at)
join memories s on s.bank_id = %(bank)s and s.id = x.source
join memories d on d.bank_id = %(bank)s and d.id = x.target
on conflict (bank_id, src, dst, type, via) do update
  set strength = excluded.strength, made_by = excluded.made_by, created_at = excluded.created_at
  where (e.strength, e.made_by, e.created_at)
        is distinct from (excluded.strength, excluded.made_by, excluded.created_at)
