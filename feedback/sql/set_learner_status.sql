-- Turns a learner on, or holds it; with `version` it may replace the matrix that is live.
update learners
set status = %(status)s, why = %(why)s, version = coalesce(%(version)s, version), updated_at = %(now)s
where bank_id = %(bank)s
