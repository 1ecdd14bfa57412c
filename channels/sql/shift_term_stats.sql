-- Adds the given differences to the document frequencies.
insert into term_stats as t (bank_id, term, df, own_df)
select %(bank)s, x.term, x.count, x.own
from unnest(%(terms)s::bigint[], %(counts)s::int[], %(own)s::int[]) x(term, count, own)
on conflict (bank_id, term) do update set df = t.df + excluded.df, own_df = t.own_df + excluded.own_df
