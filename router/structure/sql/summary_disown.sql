-- A summary says nothing itself: its words count as its members' only, so that rare ones stay rare.
with disowned as (
  update postings p set own = false
  where p.bank_id = %(bank)s and p.key = any(%(keys)s::bigint[]) and p.own
  returning p.term
)
update term_stats t set own_df = t.own_df - x.count
from (select term, count(*) as count from disowned group by term) x
where t.bank_id = %(bank)s and t.term = x.term
