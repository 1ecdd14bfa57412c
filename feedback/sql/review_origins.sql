-- Memories whose reviews are taken back, locked in the order of their keys: key, kind, stability, uses, last use, time
-- (else arrival), and the bank's decay.
select s.key, m.kind, s.stability_days, s.uses, s.last_used_at, coalesce(m.happened, m.created_at), b.config -> 'decay'
from memory_stats s
join memories m on m.bank_id = %(bank)s and m.key = s.key
join banks b on b.bank_id = %(bank)s
where s.bank_id = %(bank)s and s.key = any(%(keys)s::bigint[])
order by s.key
for update of s
