-- A page of proposals, the newest first. An open one whose memories are not both current is no question any more.
select p.number, p.rule, p.state, p.evidence, p.at, p.settled_at, p.settled_by, p.reason, p.kept, a.id as about,
       o.id as older, o.text as older_text, o.happened as older_happened,
       n.id as newer, n.text as newer_text, n.happened as newer_happened
from proposals p
join memories o on o.bank_id = %(bank)s and o.key = p.older
join memories n on n.bank_id = %(bank)s and n.key = p.newer
left join memories a on a.bank_id = %(bank)s and a.key = p.about
where p.bank_id = %(bank)s and (%(before)s::int is null or p.number < %(before)s)
  and (%(state)s = 'all' or p.state = %(state)s)
  and (p.state <> 'open' or (o.expired_at is null and n.expired_at is null))
order by p.number desc
limit %(limit)s
