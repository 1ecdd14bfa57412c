-- How many of the bank's words are kept by their hash alone, as releases before 0011_words.sql kept them.
select count(*) from term_stats t where t.bank_id = %(bank)s and t.word is null and t.df > 0
