-- Closes a memory that another replaces: returns its key if it was current.
update memories set expired_at = %(now)s, superseded_by = %(by)s,
  invalid_at = coalesce(invalid_at, %(at)s)
where bank_id = %(bank)s and key = %(key)s and expired_at is null
returning key
