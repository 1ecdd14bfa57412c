-- Times of the given visible memories: key, start, end, kind, stability, has_time, intervals named in the text.
select m.key, m.happened, coalesce(m.happened_end, m.happened), m.kind, s.stability_days, m.has_time,
       d.starts, d.ends
from memories m
left join memory_stats s on s.bank_id = %(bank)s and s.key = m.key
left join lateral (
  select array_agg(x.starts order by x.starts, x.ends) as starts,
         array_agg(x.ends order by x.starts, x.ends) as ends
  from memory_dates x where x.bank_id = %(bank)s and x.key = m.key
) d on true
where m.bank_id = %(bank)s and m.key = any(%(keys)s::bigint[])
