-- How many memories say each of the given words themselves: term, frequency.
select t.term, t.own_df from term_stats t
where t.bank_id = %(bank)s and t.term = any(%(terms)s::bigint[]) and t.own_df > 0
