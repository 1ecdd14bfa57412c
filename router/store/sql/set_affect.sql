-- Stores a memory's trajectory.
update memories set affect = %(affect)s, affect_layout = %(layout)s where bank_id = %(bank)s and key = %(key)s
