-- Every published matrix, the oldest first, and whether it is the live one.
select m.version, m.parent, m.rows, m.reason, m.author, m.evidence, m.at,
       m.version is not distinct from h.version as live
from matrices m
left join matrix_heads h on h.bank_id = %(bank)s
where m.bank_id = %(bank)s
order by m.version
