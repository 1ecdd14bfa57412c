-- The rows of one published version.
select rows from matrices where bank_id = %(bank)s and version = %(version)s
