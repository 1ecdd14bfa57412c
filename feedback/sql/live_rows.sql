-- The matrix that a bank is served with: version, rows, author; no row while it is the default.
select m.version, m.rows, m.author
from matrix_heads h join matrices m on m.bank_id = %(bank)s and m.version = h.version
where h.bank_id = %(bank)s
