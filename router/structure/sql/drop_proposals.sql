-- Removes what was proposed about memories whose text is another now, unless it was accepted.
delete from proposals
where bank_id = %(bank)s and (older = any(%(keys)s::bigint[]) or newer = any(%(keys)s::bigint[])) and state <> 'accepted'
