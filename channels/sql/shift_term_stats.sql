-- Adds the given differences to the document frequencies; words are kept beside their hashes where they are known.
insert into term_stats as t (bank_id, term, df, own_df, word)
select %(bank)s, x.term, x.count, x.own, x.word
from unnest(%(terms)s::bigint[], %(counts)s::int[], %(own)s::int[], %(words)s::text[]) x(term, count, own, word)
on conflict (bank_id, term) do update set df = t.df + excluded.df, own_df = t.own_df + excluded.own_df,
  word = coalesce(t.word, excluded.word)
