-- Memories of which a date in the text meets [start, end), the last to arrive first, at most %(limit)s: key.
select d.key from memory_dates d
where d.bank_id = %(bank)s
  and d.starts < coalesce(%(end)s::timestamptz, 'infinity')
  and d.ends > coalesce(%(start)s::timestamptz, '-infinity')
group by d.key
order by d.key desc limit %(limit)s
