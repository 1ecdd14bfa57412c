-- Counters of new memories; those of a replaced memory keep running. In the order of keys, as reviews lock them.
insert into memory_stats as s (bank_id, key, proof_count)
select %(bank)s, x.key, x.proofs from unnest(%(keys)s::bigint[], %(proofs)s::int[]) x(key, proofs)
order by x.key
on conflict (bank_id, key) do update set proof_count = excluded.proof_count
