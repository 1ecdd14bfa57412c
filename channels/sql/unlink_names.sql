-- Removes the edges of the given names. "via <> 0" is what the index on via demands.
delete from edges
where bank_id = %(bank)s and made_by = 'name' and via <> 0 and via = any(%(names)s::bigint[])
