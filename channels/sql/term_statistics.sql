-- One row: memories with postings, their summed length, and parallel arrays (term, df) of the asked terms.
select coalesce(s.docs, 0), coalesce(s.length, 0),
       coalesce((select array_agg(t.term order by t.term) from term_stats t
                 where t.bank_id = %(bank)s and t.term = any(%(terms)s::bigint[])), '{}'),
       coalesce((select array_agg(t.df order by t.term) from term_stats t
                 where t.bank_id = %(bank)s and t.term = any(%(terms)s::bigint[])), '{}')
from (select 1) one left join bank_stats s on s.bank_id = %(bank)s
