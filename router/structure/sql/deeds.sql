-- What was done about one memory or (null) any, the newest first.
select number, deed, older, newer, along, rule, reason, author, at from supersessions
where bank_id = %(bank)s and (%(id)s::text is null or older = %(id)s)
order by number desc
limit %(limit)s
