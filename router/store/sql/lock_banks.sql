-- Creators of banks and embedders take turns until their transaction ends.
select pg_advisory_xact_lock(1179010631)
