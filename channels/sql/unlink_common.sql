-- Removes the rare-word edges of words that more memories than allowed now say.
delete from edges
where bank_id = %(bank)s and made_by = 'rare_term' and via in (
  select t.term from term_stats t
  where t.bank_id = %(bank)s and t.term = any(%(terms)s::bigint[]) and t.own_df > %(most)s)
