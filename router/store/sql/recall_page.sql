-- A page of stored decisions, the latest first: id, at, question, asked_at, types, corrected_type, actor, session,
-- matrix_version, policy, propensity, shown_from, shown_ids, degraded, timings, closed_at.
select r.id, r.at, r.question, r.asked_at, r.types, r.corrected_type, r.actor, r.session, r.matrix_version,
       r.policy, r.propensity, r.shown_from, r.shown_ids, r.degraded, r.timings, r.closed_at
from recalls r
where r.bank_id = %(bank)s
  and (%(before_at)s::timestamptz is null or (r.at, r.id) < (%(before_at)s, %(before_id)s))
  and (%(from)s::timestamptz is null or r.at >= %(from)s)
  and (%(to)s::timestamptz is null or r.at < %(to)s)
  and (%(type)s::text is null or %(type)s = coalesce(r.corrected_type,
        (select t.key from jsonb_each_text(r.types) t order by t.value::float8 desc, t.key limit 1)))
order by r.at desc, r.id desc
limit %(limit)s
