-- Says that summaries are up to date again, and how many memories each stands for now.
update summaries s set is_stale = false, members = x.members, at = %(now)s
from unnest(%(keys)s::bigint[], %(members)s::int[]) x(key, members)
where s.bank_id = %(bank)s and s.key = x.key
