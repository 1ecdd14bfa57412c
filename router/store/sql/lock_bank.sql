-- Writers of one bank take turns until their transaction ends; readers are not held up.
-- What a writer reads, it reads by key. A planner that does not know the bank yet, as in the middle of a bulk load,
-- takes it for empty and would read it whole for each memory and each foreign key: minutes instead of milliseconds.
-- So no table is read whole, and once the statistics know how large banks are, plans are made for any bank, and once.
select pg_advisory_xact_lock(1179010630, %(bank)s), set_config('enable_seqscan', 'off', true),
       set_config('plan_cache_mode', case when reltuples >= 100 then 'force_generic_plan' else 'force_custom_plan' end,
                  true)
from pg_class where oid = 'memories'::regclass
