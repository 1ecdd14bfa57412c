-- Raises (or, by less than nothing, lowers) what an observation's evidence counts: the new count.
update memory_stats set proof_count = greatest(1, proof_count + %(proofs)s)
where bank_id = %(bank)s and key = %(key)s
returning proof_count
