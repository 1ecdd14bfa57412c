-- Writes one proposal, its memories named by id.
insert into proposals (bank_id, number, older, newer, about, rule, evidence, state, at, settled_at, settled_by, reason, kept)
select %(bank)s, %(number)s, o.key, n.key, a.key, %(rule)s, %(evidence)s, %(state)s, %(at)s, %(settled_at)s,
       %(settled_by)s, %(reason)s, %(kept)s
from memories o
join memories n on n.bank_id = %(bank)s and n.id = %(newer)s
left join memories a on a.bank_id = %(bank)s and a.id = %(about)s::text
where o.bank_id = %(bank)s and o.id = %(older)s
