-- The audit of what replaced what, in order.
select number, deed, older, newer, along, rule, reason, author, at
from supersessions where bank_id = %(bank)s
order by number
