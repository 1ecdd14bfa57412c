-- Counters of new memories; those of a replaced memory keep running, and evidence counts on top of its own proofs. In
-- the order of keys, as reviews lock them.
insert into memory_stats as s (bank_id, key, proof_count)
select %(bank)s, x.key, x.proofs + coalesce((select sum(o.proofs)::int from observation_sources o
                                             where o.bank_id = %(bank)s and o.key = x.key), 0)
from unnest(%(keys)s::bigint[], %(proofs)s::int[]) x(key, proofs)
order by x.key
on conflict (bank_id, key) do update set proof_count = excluded.proof_count
