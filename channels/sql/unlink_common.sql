-- Removes the rare-word edges of words that more memories than allowed now say.
-- "via <> 0" is what the index on via demands, and an array keeps to it whatever the statistics say; without them
-- every edge of the bank is read.
delete from edges
where bank_id = %(bank)s and made_by = 'rare_term' and via <> 0 and via = any(array(
  select t.term from term_stats t
  where t.bank_id = %(bank)s and t.term = any(%(terms)s::bigint[]) and t.own_df > %(most)s))
