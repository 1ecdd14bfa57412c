-- What was proposed, by memory id, and what became of it.
select p.number, o.id as older, n.id as newer, a.id as about, p.rule, p.evidence, p.state, p.at, p.settled_at,
       p.settled_by, p.reason, p.kept
from proposals p
join memories o on o.bank_id = %(bank)s and o.key = p.older
join memories n on n.bank_id = %(bank)s and n.key = p.newer
left join memories a on a.bank_id = %(bank)s and a.key = p.about
where p.bank_id = %(bank)s
order by p.number
