-- Writes one line of an audit.
insert into supersessions (bank_id, number, deed, older, newer, along, rule, reason, author, at)
values (%(bank)s, %(number)s, %(deed)s, %(older)s, %(newer)s, %(along)s, %(rule)s, %(reason)s, %(author)s, %(at)s)
