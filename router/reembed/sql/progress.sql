-- How far a bank is on its way to another model: its name, dimension, former model, swapped at, memories done, of how
-- many, problem; no row when it is on none.
select e.name, e.dim, f.name, r.swapped_at,
       case when r.swapped_at is null
            then (select count(*) from renewed_vectors v where v.bank_id = %(bank)s and v.embedder = r.embedder)
            else (select count(*) from memories m where m.bank_id = %(bank)s and m.key <= r.linked) end,
       (select count(*) from memories m where m.bank_id = %(bank)s), r.problem
from reembeddings r
join embedders e on e.embedder = r.embedder
join embedders f on f.embedder = r.former
where r.bank_id = %(bank)s
