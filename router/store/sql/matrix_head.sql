-- The live matrix of a bank, as in matrix_versions.sql; no row when none was published.
select m.version, m.parent, m.rows, m.reason, m.author, m.evidence, m.at
from matrix_heads h join matrices m on m.bank_id = %(bank)s and m.version = h.version
where h.bank_id = %(bank)s
