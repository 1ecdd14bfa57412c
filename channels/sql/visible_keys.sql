-- Which of the given memories are visible: key.
select m.key from memories m
where m.bank_id = %(bank)s and m.key = any(%(keys)s::bigint[]) and /* visible */
