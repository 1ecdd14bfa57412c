-- Writes one published matrix as it was; a version that is there already stays.
insert into matrices (bank_id, version, parent, rows, reason, author, evidence, at)
values (%(bank)s, %(version)s, %(parent)s, %(rows)s, %(reason)s, %(author)s, %(evidence)s, %(at)s)
on conflict (bank_id, version) do nothing
