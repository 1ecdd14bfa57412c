-- Notes what the bank's summaries are made for.
insert into summary_states (bank_id, timezone, periods) values (%(bank)s, %(timezone)s, %(periods)s)
on conflict (bank_id) do update set timezone = excluded.timezone, periods = excluded.periods
