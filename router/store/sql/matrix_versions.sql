-- Published matrices, the newest first: version, parent, rows, reason, author, evidence, at.
select version, parent, rows, reason, author, evidence, at from matrices
where bank_id = %(bank)s and (%(before)s::int is null or version < %(before)s)
order by version desc
limit %(limit)s
