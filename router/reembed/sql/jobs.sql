-- Banks on their way to another model, oldest request first; of one bank, or for null of all: bank, its name, former
-- model, new model, its name and dimension, swapped at, linked up to.
select r.bank_id, b.name, r.former, r.embedder, e.name, e.dim, r.swapped_at, r.linked
from reembeddings r
join banks b on b.bank_id = r.bank_id
join embedders e on e.embedder = r.embedder
where %(bank)s::int is null or r.bank_id = %(bank)s
order by r.requested_at, r.bank_id
