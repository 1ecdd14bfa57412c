-- Removes one piece of evidence: the observation's key, what it had added to the count.
delete from observation_sources where bank_id = %(bank)s and id = %(id)s
returning key, proofs
