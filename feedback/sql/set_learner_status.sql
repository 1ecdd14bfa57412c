-- Turns a learner on, or holds it; with `version` it may replace the matrix that is live.
-- Held, it goes on adding to answers what it added then.
update learners
set status = %(status)s, why = %(why)s, version = coalesce(%(version)s, version),
  serving = case when %(status)s = 'on' then %(serving)s else serving end, updated_at = %(now)s
where bank_id = %(bank)s
