-- In a bank that keeps summaries: marks every day, in UTC, that a memory lies on.
insert into summary_days as d (bank_id, day, marks)
select distinct m.bank_id, (m.happened at time zone 'UTC')::date, 1
from memories m
join banks b on b.bank_id = m.bank_id and jsonb_array_length(coalesce(b.config -> 'summaries', '[]')) > 0
where m.bank_id = %(bank)s and m.period is null and m.happened between '0001-01-09' and '9999-11-29'
on conflict (bank_id, day) do update set marks = d.marks + 1
