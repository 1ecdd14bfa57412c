-- The commonest words that begin so, or are the stem of what does, at most %(most)s: word, df.
-- Identifiers are kept with a mark in front.
select w.word, w.df
from (
  (select t.word, t.df from term_stats t
   where t.bank_id = %(bank)s and t.word >= %(prefix)s and t.word < %(prefix)s || U&'\+10FFFF' and t.df > 0
   order by t.df desc, t.word limit %(most)s)
  union
  (select t.word, t.df from term_stats t
   where t.bank_id = %(bank)s and t.word >= '=' || %(prefix)s and t.word < '=' || %(prefix)s || U&'\+10FFFF'
     and t.df > 0
   order by t.df desc, t.word limit %(most)s)
  union
  (select t.word, t.df from term_stats t
   where t.bank_id = %(bank)s and t.term = any(%(shorter)s::bigint[]) and t.word is not null and t.df > 0)
) w
order by w.df desc, w.word limit %(most)s
