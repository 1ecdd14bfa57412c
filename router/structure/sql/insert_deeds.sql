-- Adds deeds to the audit, in the order given.
insert into supersessions (bank_id, number, deed, older, newer, along, rule, reason, author, at)
select %(bank)s, l.last + x.place, %(deed)s, o.id, n.id, a.id, x.rule, x.reason, %(author)s, %(now)s
from unnest(%(older)s::bigint[], %(newer)s::bigint[], %(along)s::bigint[], %(rules)s::text[], %(reasons)s::text[])
       with ordinality x(older, newer, along, rule, reason, place)
cross join (select coalesce(max(number), 0)::int as last from supersessions where bank_id = %(bank)s) l
join memories o on o.bank_id = %(bank)s and o.key = x.older
left join memories n on n.bank_id = %(bank)s and n.key = x.newer
left join memories a on a.bank_id = %(bank)s and a.key = x.along
order by x.place
