-- Settles a proposal.
update proposals set state = %(state)s, settled_at = %(now)s, settled_by = %(author)s, reason = %(reason)s, kept = %(kept)s
where bank_id = %(bank)s and number = %(number)s
