-- The trajectory of one memory: key, affect as text; no row when it has none.
select m.key, m.affect::text from memories m
where m.bank_id = %(bank)s and m.id = %(id)s and m.affect is not null and m.affect_layout = %(layout)s
