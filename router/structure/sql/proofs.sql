-- What the evidence behind an observation counts.
select coalesce(sum(proofs), 0) from observation_sources where bank_id = %(bank)s and key = %(key)s
