-- Banks with marked days, and what summaries were last made for, of every bank that has either: bank, whether days are
-- marked, time zone, periods (null: none yet).
select bank_id, bool_or(marked), max(timezone), max(periods)
from (
  select bank_id, true as marked, null::text as timezone, null::text[] as periods from summary_days
  group by bank_id
  union all
  select bank_id, false, timezone, periods from summary_states
) x
group by bank_id
