-- What the bank's summaries were last made for: time zone, periods; no row when it has none.
select timezone, periods from summary_states where bank_id = %(bank)s
