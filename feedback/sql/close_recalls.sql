-- Closes recalls that are still open.
update recalls
set closed_at = %(now)s
where bank_id = %(bank)s and id = any(%(recall_ids)s) and closed_at is null
