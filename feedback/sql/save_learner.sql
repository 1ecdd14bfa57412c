-- Keeps what a learner has become; what it adds to answers moves on only while it publishes.
update learners
set batch = %(batch)s, version = %(version)s, state = %(state)s, settings = %(settings)s, shared = %(shared)s,
  kin = %(kin)s, serving = case when %(publishes)s then %(serving)s else serving end, updated_at = %(now)s
where bank_id = %(bank)s
