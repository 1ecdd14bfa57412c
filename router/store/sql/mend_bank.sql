-- Sets the bank's counters to the given counts.
insert into bank_stats (bank_id, docs, length, live) values (%(bank)s, %(docs)s, %(length)s, %(live)s)
on conflict (bank_id) do update set docs = excluded.docs, length = excluded.length, live = excluded.live
