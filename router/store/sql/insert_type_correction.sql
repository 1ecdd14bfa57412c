-- Adds a deed behind the bank's newest one: its number.
insert into type_corrections (bank_id, number, deed, recall_id, type, author, actor, trusted, at, base, inputs, before)
select %(bank)s, coalesce(max(number), 0) + 1, %(deed)s, %(recall)s, %(type)s, %(author)s, %(actor)s, %(trusted)s,
       %(now)s, %(base)s, %(inputs)s, %(before)s
from type_corrections where bank_id = %(bank)s
returning number
