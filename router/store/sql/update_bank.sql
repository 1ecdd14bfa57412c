-- Replaces a bank's title and configuration.
update banks set title = %(title)s, config = %(config)s where bank_id = %(bank)s
