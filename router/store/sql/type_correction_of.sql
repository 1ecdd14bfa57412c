-- What was last said of one recall since the last reset: deed, type, author; no row when nothing was.
select deed, type, author from type_corrections
where bank_id = %(bank)s and recall_id = %(recall)s and number > coalesce(
  (select max(number) from type_corrections where bank_id = %(bank)s and deed = 'reset'), 0)
order by number desc
limit 1
