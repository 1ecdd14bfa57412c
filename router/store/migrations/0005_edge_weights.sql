-- What an edge is worth to the graph lane, kept beside it, so that an index reads exactly the strongest of a memory.
-- The numbers are EDGE_WEIGHTS of channels/spread.py; a release that changes them brings a migration that makes the
-- column anew. A type unknown here passes nothing on. Same arithmetic as before: real x double precision.
-- The indexes by strength go: the new ones serve every look-up by src or dst.
drop index edges_out;
drop index edges_in;
alter table edges add column weight double precision not null generated always as (strength * (case type
  when 'SUPERSEDES' then 1.0 when 'CAUSES' then 0.9 when 'NAMES' then 0.9 when 'SHARES_ENTITY' then 0.8
  when 'REFERS_TO' then 0.8 when 'SHARES_RARE_TERM' then 0.7 when 'PART_OF' then 0.6 when 'NEXT' then 0.5
  when 'SIMILAR_TO' then 0.5 when 'IN_SAME_EPISODE' then 0.4 when 'DERIVED_FROM' then 0.4 when 'CONTRADICTS' then 0.3
  else 0.0 end)::double precision) stored;
create index edges_out on edges (bank_id, src, weight desc, dst) include (type);
create index edges_in on edges (bank_id, dst, weight desc, src) include (type);
