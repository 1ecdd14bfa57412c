-- Adds a difference to the bank's live rows: the new count.
insert into bank_stats as s (bank_id, live) values (%(bank)s, %(count)s)
on conflict (bank_id) do update set live = s.live + excluded.live
returning live
