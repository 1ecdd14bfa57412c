-- How many of the bank's terms have other statistics than a recount of their postings gives.
select count(*)
from (select term, count(*) as df, count(*) filter (where own) as own_df
      from postings where bank_id = %(bank)s group by term) p
full join (select term, df, own_df from term_stats where bank_id = %(bank)s) s using (term)
where coalesce(p.df, 0) <> coalesce(s.df, 0) or coalesce(p.own_df, 0) <> coalesce(s.own_df, 0)
