-- Takes an actor's recalls out of the evidence, those not yet learnt from too: how many counted or could have, how many
-- there are. In the order in which events lock them; who sends one just now waits, and finds its id deleted.
with mine as (
  select bank_id, id, learned_as is distinct from 'none' and not is_forgotten as counted
  from recalls
  where bank_id = %(bank)s and actor = %(actor)s
  order by id
  for no key update
), taken as (
  update recalls r
  set learned_as = case when r.learned_as is not null then 'none' end, is_forgotten = true
  from mine
  where r.bank_id = mine.bank_id and r.id = mine.id and not r.is_forgotten
)
select count(*) filter (where counted), count(*) from mine
