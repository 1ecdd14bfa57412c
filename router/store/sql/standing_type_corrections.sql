-- The newest corrections in force, one a recall, none before the last reset; columns as in Correction.
select number, recall_id, type, author, actor, trusted, base, inputs
from (
  select distinct on (recall_id) number, deed, recall_id, type, author, actor, trusted, base, inputs
  from type_corrections
  where bank_id = %(bank)s and recall_id is not null and number > coalesce(
    (select max(number) from type_corrections where bank_id = %(bank)s and deed = 'reset'), 0)
  order by recall_id, number desc
) last
where deed = 'corrected'
order by number desc
limit %(limit)s
