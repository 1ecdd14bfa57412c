-- How many memories are indexed under each of the given words: term, frequency.
select t.term, t.df from term_stats t
where t.bank_id = %(bank)s and t.term = any(%(terms)s::bigint[]) and t.df > 0
