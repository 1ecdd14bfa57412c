-- What a correction needs of its recall: actor, types, and what is noted of them; no row for an unknown id.
select actor, types, analysis -> 'types' from recalls where bank_id = %(bank)s and id = %(recall)s
