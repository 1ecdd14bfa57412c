-- The evidence behind an observation, the oldest first: id, text, happened, proofs, at.
select id, text, happened, proofs, at from observation_sources
where bank_id = %(bank)s and key = %(key)s
order by at, id
limit %(limit)s
