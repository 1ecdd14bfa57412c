-- The newest visible memories that have a time: key.
select m.key from memories m
where m.bank_id = %(bank)s and m.happened is not null and /* visible */
order by m.happened desc, m.key desc
limit %(limit)s
