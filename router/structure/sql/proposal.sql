-- One proposal as it is to be settled: older and newer by key and id, whether each is current, state, kept, rule.
select p.older, p.newer, o.id, n.id, o.expired_at is null, n.expired_at is null, p.state, p.kept, p.rule
from proposals p
join memories o on o.bank_id = %(bank)s and o.key = p.older
join memories n on n.bank_id = %(bank)s and n.key = p.newer
where p.bank_id = %(bank)s and p.number = %(number)s
