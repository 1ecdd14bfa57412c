-- In a bank that keeps summaries: hides those that quote the given memories, and marks the days of these, in UTC.
with hidden as (
  update summaries s set is_stale = true
  from edges e
  where s.bank_id = %(bank)s and not s.is_stale and e.bank_id = %(bank)s and e.src = s.key
    and e.dst = any(%(keys)s::bigint[]) and e.type = 'DERIVED_FROM' and e.made_by = 'summary'
)
insert into summary_days as d (bank_id, day, marks)
select distinct m.bank_id, (m.happened at time zone 'UTC')::date, 1
from memories m
join banks b on b.bank_id = m.bank_id and jsonb_array_length(coalesce(b.config -> 'summaries', '[]')) > 0
where m.bank_id = %(bank)s and m.key = any(%(keys)s::bigint[])
  and m.happened between '0001-01-09' and '9999-11-29'
on conflict (bank_id, day) do update set marks = d.marks + 1
