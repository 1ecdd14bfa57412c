-- One row when a memory of the bank belongs to that episode.
select 1 from memories where bank_id = %(bank)s and episode = %(episode)s limit 1
