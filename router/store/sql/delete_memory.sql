-- Removes one memory; what refers to it goes with it.
delete from memories where bank_id = %(bank)s and key = %(key)s
