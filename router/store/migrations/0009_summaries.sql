-- Summaries of days, weeks and months that fivefold makes itself, and banks that do without an embedding model.
alter table embedders drop constraint embedders_dim_check;
alter table embedders add constraint embedders_dim_check check (dim >= 0);  -- 0: no model, no vectors

alter table memories add column period text check (period in ('day', 'week', 'month'));  -- null: no summary of ours

create table summaries (
  bank_id int not null, period text not null,
  starts date not null,                      -- first day, in the bank's time zone
  key bigint not null,
  made_hash bytea not null,                  -- content_hash as made; another one now: somebody edited it
  source_hash bytea not null,                -- of the extract it was made from and of what worded it
  is_stale boolean not null default false,   -- what it quotes has changed since: hidden until it is made anew
  members int not null,                      -- memories it stands for
  at timestamptz not null,
  primary key (bank_id, period, starts),
  foreign key (bank_id, key) references memories on delete cascade
);
create index summaries_key on summaries (bank_id, key);

create table summary_days (                  -- days whose memories have changed since they were summarised
  bank_id int not null, day date not null,
  marks int not null,                        -- grows with every change, so that none is lost while one is read
  primary key (bank_id, day)
);

create table summary_states (                -- what the summaries of a bank were last made for
  bank_id int primary key,
  timezone text not null, periods text[] not null
);

-- The edges of our summaries are there to be walked by people. The graph lane passes nothing over them, or all memories
-- of a day would be neighbours: their weight is 0. All else is as in 0005_edge_weights.sql.
drop index edges_out;
drop index edges_in;
alter table edges drop column weight;
alter table edges add column weight double precision not null generated always as (
  case made_by when 'summary' then 0.0 else strength * (case type
  when 'SUPERSEDES' then 1.0 when 'CAUSES' then 0.9 when 'NAMES' then 0.9 when 'SHARES_ENTITY' then 0.8
  when 'REFERS_TO' then 0.8 when 'SHARES_RARE_TERM' then 0.7 when 'PART_OF' then 0.6 when 'NEXT' then 0.5
  when 'SIMILAR_TO' then 0.5 when 'IN_SAME_EPISODE' then 0.4 when 'DERIVED_FROM' then 0.4 when 'CONTRADICTS' then 0.3
  else 0.0 end)::double precision end) stored;
create index edges_out on edges (bank_id, src, weight desc, dst) include (type);
create index edges_in on edges (bank_id, dst, weight desc, src) include (type);

do $$
declare
  name text;
begin
  foreach name in array array['summaries', 'summary_days', 'summary_states'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy own_bank on %I using ('
      '(select current_setting(''fivefold.bank'', true)) = ''all'' or bank_id = '
      '(select nullif(nullif(current_setting(''fivefold.bank'', true), ''all''), '''')::int))', name);
  end loop;
end $$;
