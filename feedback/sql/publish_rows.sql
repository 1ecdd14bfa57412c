-- Publishes rows as the version after the newest one: that version.
insert into matrices (bank_id, version, parent, rows, reason, author, evidence, at)
select %(bank)s, coalesce(max(version), 0) + 1, nullif(%(parent)s, 0), %(rows)s, %(reason)s, %(author)s, %(evidence)s,
  %(at)s
from matrices where bank_id = %(bank)s
returning version
