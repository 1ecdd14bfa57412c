-- Writers of one bank take turns until their transaction ends; readers are not held up.
-- What a writer reads, it reads by key. A planner without fresh statistics, as in the middle of a bulk load, takes the
-- tables for empty and would read them whole for each memory: minutes instead of milliseconds.
select pg_advisory_xact_lock(1179010630, %(bank)s), set_config('enable_seqscan', 'off', true)
