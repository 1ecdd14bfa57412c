-- Counts events as learnt from.
update events
set learned_batch = %(batch)s, applied_version = %(version)s
where bank_id = %(bank)s and event_id = any(%(event_ids)s::text[])
