-- Banks with something sealed to learn from: number, name, configuration, model. Runs outside the banks' walls.
select b.bank_id, b.name, b.config, m.name as embedder
from banks b
join embedders m on m.embedder = b.embedder
where exists (select from recalls r
              where r.bank_id = b.bank_id and r.learned_batch is null and r.closed_at <= %(closed)s)
   or exists (select from recalls r
              where r.bank_id = b.bank_id and r.learned_batch is null and r.at <= %(opened)s)
   or exists (select from events e
              join recalls r on r.bank_id = e.bank_id and r.id = e.recall_id
              where e.bank_id = b.bank_id and e.state = 'late' and e.learned_batch is null
                and r.learned_batch is not null)
order by b.bank_id
