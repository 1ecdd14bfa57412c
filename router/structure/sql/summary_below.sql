-- Summaries of the periods that others are made of: the upper one's key, the lower one's.
select u.key, l.key
from unnest(%(keys)s::bigint[], %(below)s::text[], %(from)s::date[], %(to)s::date[]) u(key, below, starts, ends)
join summaries l on l.bank_id = %(bank)s and l.period = u.below and l.starts >= u.starts and l.starts < u.ends
order by 1, 2
