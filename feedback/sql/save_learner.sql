-- Keeps what a learner has become.
update learners
set batch = %(batch)s, version = %(version)s, state = %(state)s, settings = %(settings)s, shared = %(shared)s,
  kin = %(kin)s, updated_at = %(now)s
where bank_id = %(bank)s
