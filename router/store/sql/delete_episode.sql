-- Removes an episode that has no member with a vector left.
delete from episodes where bank_id = %(bank)s and episode = %(episode)s
