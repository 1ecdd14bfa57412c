-- How many memories, in any state and without the summaries that are made from them, and how many matrices a bank holds, and its live version: three numbers.
select (select count(*) from memories m where m.bank_id = %(bank)s and not exists (
          select from summaries y where y.bank_id = %(bank)s and y.key = m.key and y.made_hash = m.content_hash)),
       (select count(*) from matrices where bank_id = %(bank)s),
       (select version from matrix_heads where bank_id = %(bank)s)
