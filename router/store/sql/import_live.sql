-- Counts the bank's live rows anew.
update bank_stats b set live = c.live
from (select count(*)::int as live from memories where bank_id = %(bank)s and expired_at is null) c
where b.bank_id = %(bank)s and b.live <> c.live
