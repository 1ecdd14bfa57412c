-- Parked events of the bank, the oldest's time; its recalls on record, the newest's time.
select (select count(*) from events where bank_id = %(bank)s and state = 'parked'),
       (select min(received) from events where bank_id = %(bank)s and state = 'parked'),
       (select count(*) from recalls where bank_id = %(bank)s),
       (select max(at) from recalls where bank_id = %(bank)s)
