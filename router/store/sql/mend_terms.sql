-- Sets the statistics of the bank's terms to a recount of their postings, where they differ.
insert into term_stats as t (bank_id, term, df, own_df)
select bank_id, term, count(*), count(*) filter (where own)
from postings where bank_id = %(bank)s group by bank_id, term
on conflict (bank_id, term) do update set df = excluded.df, own_df = excluded.own_df
where t.df <> excluded.df or t.own_df <> excluded.own_df
