-- How many memories, in any state, and how many matrices a bank holds, and its live version: three numbers.
select (select count(*) from memories where bank_id = %(bank)s),
       (select count(*) from matrices where bank_id = %(bank)s),
       (select version from matrix_heads where bank_id = %(bank)s)
