-- Removes the statistics of terms that are counted and have no posting.
delete from term_stats t
where t.bank_id = %(bank)s and (t.df <> 0 or t.own_df <> 0)
  and not exists (select from postings p where p.bank_id = %(bank)s and p.term = t.term)
