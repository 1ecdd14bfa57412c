-- The matrices of the given versions: version, parent, rows, reason, author, evidence, at.
select version, parent, rows, reason, author, evidence, at from matrices
where bank_id = %(bank)s and version = any(%(versions)s::int[])
