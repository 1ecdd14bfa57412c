-- Which of the asked terms the given memories say themselves: key, term.
select key, term from postings
where bank_id = %(bank)s and key = any(%(keys)s::bigint[]) and term = any(%(terms)s::bigint[]) and own
