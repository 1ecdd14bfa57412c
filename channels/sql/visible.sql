-- Condition on memories m: in the state asked about, and passing the caller's filters; under a strict window its own
-- time or a date in its text meets the window, as `in_window` of a result has it.
(case when %(as_of)s::timestamptz is null
      then m.expired_at is null or %(any_state)s::boolean or m.expired_at > %(known_at)s::timestamptz
      else coalesce(m.valid_at, m.happened, m.created_at) <= %(as_of)s::timestamptz
           and (m.invalid_at is null or m.invalid_at > %(as_of)s::timestamptz
                or m.expired_at > %(known_at)s::timestamptz) end)
and (%(known_at)s::timestamptz is null or m.created_at <= %(known_at)s::timestamptz)
and (%(tags)s::text[] = '{}' or m.tags @> %(tags)s::text[])
and (%(topic)s::text is null or m.topic = %(topic)s::text
     or (m.topic >= %(topic)s::text || '.' and m.topic < %(topic)s::text || '/'))
and (%(kinds)s::text[] = '{}' or m.kind = any(%(kinds)s::text[]))
and (%(speaker)s::text is null or lower(m.speaker) = lower(%(speaker)s::text))
and (m.period is null or 'summary' = any(%(kinds)s::text[]) and exists (
       select from summaries y where y.bank_id = m.bank_id and y.key = m.key and not y.is_stale))
and ((%(strict_start)s::timestamptz is null and %(strict_end)s::timestamptz is null)
     or (m.happened < coalesce(%(strict_end)s::timestamptz, 'infinity')
         and (m.happened >= coalesce(%(strict_start)s::timestamptz, '-infinity')
              or m.happened_end > %(strict_start)s::timestamptz))
     or m.key = any(%(strict_dated)s::bigint[]))
