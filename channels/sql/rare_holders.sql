-- Who says the given words themselves, for words that few memories say: term, key.
select p.term, p.key
from term_stats t
join postings p on p.bank_id = %(bank)s and p.term = t.term and p.own
where t.bank_id = %(bank)s and t.term = any(%(terms)s::bigint[]) and t.own_df between %(least)s and %(most)s
order by p.term, p.key
