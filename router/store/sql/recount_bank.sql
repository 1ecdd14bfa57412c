-- The bank's counters as kept and as counted: docs, length and live, each kept first.
select coalesce(s.docs, 0), p.docs, coalesce(s.length, 0), p.length, coalesce(s.live, 0), m.live
from (select count(*) as docs, coalesce(sum(length), 0) as length
      from (select max(length)::float8 as length from postings where bank_id = %(bank)s group by key) one) p
cross join (select count(*) as live from memories where bank_id = %(bank)s and expired_at is null) m
left join bank_stats s on s.bank_id = %(bank)s
