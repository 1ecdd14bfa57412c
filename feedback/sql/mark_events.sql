-- Counts events as read by a batch; only those that said something are applied to the version.
update events
set learned_batch = %(batch)s,
  applied_version = case when event_id = any(%(heard)s::text[]) then %(version)s::int end
where bank_id = %(bank)s and event_id = any(%(event_ids)s::text[])
