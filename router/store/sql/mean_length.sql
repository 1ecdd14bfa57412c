-- Mean weighted length of the bank's memories, 0 when empty.
select coalesce(length / nullif(docs, 0), 0) from bank_stats where bank_id = %(bank)s
