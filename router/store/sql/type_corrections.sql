-- Deeds, the newest first; columns as in Deed.
select number, deed, recall_id, type, author, actor, trusted, at, base, before, after
from type_corrections
where bank_id = %(bank)s and (%(before)s::int is null or number < %(before)s)
order by number desc
limit %(limit)s
