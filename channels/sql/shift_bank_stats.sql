-- Adds the given differences to the bank's index statistics.
insert into bank_stats as s (bank_id, docs, length) values (%(bank)s, %(docs)s, %(length)s)
on conflict (bank_id) do update set docs = s.docs + excluded.docs, length = s.length + excluded.length
