-- The published matrix of a bank: version, rows; no row when none was published.
select m.version, m.rows
from matrix_heads h join matrices m on m.bank_id = %(bank)s and m.version = h.version
where h.bank_id = %(bank)s
