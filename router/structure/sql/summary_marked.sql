-- Marked days of the bank from a day to another (null: any), the earliest first: day, marks.
select day, marks from summary_days
where bank_id = %(bank)s and (%(from)s::date is null or day between %(from)s::date and %(to)s::date)
order by day limit %(limit)s
