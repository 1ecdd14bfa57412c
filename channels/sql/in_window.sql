-- Visible memories whose own time, or a date in whose text, meets [start, end): key. The middle arm finds intervals
-- that began before the window.
(select m.key from memories m
 where m.bank_id = %(bank)s
   and m.happened < coalesce(%(end)s::timestamptz, 'infinity')
   and m.happened >= coalesce(%(start)s::timestamptz, '-infinity')
   and /* visible */
 order by m.happened desc, m.key desc limit %(limit)s)
union
(select m.key from memories m
 where m.bank_id = %(bank)s
   and m.happened_end > %(start)s::timestamptz and m.happened < %(start)s::timestamptz
   and /* visible */
 order by m.happened_end, m.key limit %(limit)s)
union
(select m.key from memory_dates d
 join memories m on m.bank_id = %(bank)s and m.key = d.key
 where d.bank_id = %(bank)s
   and d.starts < coalesce(%(end)s::timestamptz, 'infinity')
   and d.ends > coalesce(%(start)s::timestamptz, '-infinity')
   and /* visible */
 order by d.starts desc, m.key desc limit %(limit)s)
