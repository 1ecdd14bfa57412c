-- Takes away what the given summaries are linked to.
delete from edges
where bank_id = %(bank)s and src = any(%(keys)s::bigint[]) and type = 'DERIVED_FROM' and made_by = 'summary'
