-- Marks as common those of the given names that too many memories have (%(shared)s) or mention (%(named)s), or that
-- were common before another memory got them: name of each marked.
update subjects s set is_common = true
where s.bank_id = %(bank)s and not s.is_common and s.name = any(array(
  select n.name from unnest(%(names)s::bigint[]) n(name)
  where (select count(*) from subjects o where o.bank_id = %(bank)s and o.name = n.name) > %(shared)s
     or exists (select from subjects o where o.bank_id = %(bank)s and o.name = n.name and o.is_common)
     or (select count(distinct e.src) from edges e
         where e.bank_id = %(bank)s and e.via = n.name and e.via <> 0 and e.made_by = 'name') > %(named)s))
returning s.name
