-- The model that a bank uses now: its number, name and dimension.
select e.embedder, e.name, e.dim from banks b join embedders e on e.embedder = b.embedder
where b.bank_id = %(bank)s
