-- Adds evidence to an observation.
insert into observation_sources (bank_id, key, id, text, happened, proofs, content_hash, at)
values (%(bank)s, %(key)s, %(id)s, %(text)s, %(happened)s, %(proofs)s, %(hash)s, %(now)s)
on conflict (bank_id, id) do nothing
