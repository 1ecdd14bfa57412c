-- One published matrix: version, rows, author.
select version, rows, author from matrices where bank_id = %(bank)s and version = %(version)s
