-- Lets summaries that somebody edited stand as that person's own memories.
with kept as (
  delete from summaries s where s.bank_id = %(bank)s
    and (%(periods)s::text[] is null or s.period = any(%(periods)s::text[]))
  returning s.key
)
update memories m set period = null from kept k where m.bank_id = %(bank)s and m.key = k.key
