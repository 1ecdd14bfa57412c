-- What each bank has learnt, batch by batch, and what each batch was learnt from: the log alone makes every state anew.
alter table recalls
  add column learned_batch int,              -- null: not yet learnt from
  add column learned_as text check (learned_as in ('engaged', 'reported', 'client', 'none')),  -- why it counts
  add column learned_type text,              -- the corrected type as it stood then
  add column teams smallint[];               -- of a holdback: who placed each shown memory, 1 learned, 0 default
create index recalls_unlearned on recalls (bank_id, at, id) where learned_batch is null;
create index recalls_closed on recalls (bank_id, closed_at) where learned_batch is null and closed_at is not null;
create index recalls_learned on recalls (bank_id, learned_batch desc, at desc, id desc) where learned_as <> 'none';

alter table events add column learned_batch int;
drop index events_todo;                      -- nothing ever read it
create index events_late on events (bank_id, recall_id) where state = 'late' and learned_batch is null;
create index events_learned_late on events (bank_id, learned_batch) where state = 'late' and learned_batch is not null;

alter table api_keys add column explores boolean not null default true;

create table learners (
  bank_id int primary key,
  status text not null default 'on' check (status in ('on', 'frozen', 'shadow')),
  why text,                                  -- who set the status, and what for
  batch int not null default 0,              -- the last one
  version int,                               -- live matrix it may replace; null: only the default
  state bytea,                               -- null: nothing learnt
  settings jsonb,                            -- rows, features, values and curve the state was learnt with
  shared bytea, kin text,                    -- sums that banks of the same library and default rows may share
  updated_at timestamptz not null
);

create table learner_batches (               -- never changed
  bank_id int not null, batch int not null,
  at timestamptz not null,
  kind text not null check (kind in ('learned', 'rebuilt')),  -- rebuilt: all before it learnt anew
  recalls int not null,                      -- sealed by it, those that are no evidence among them
  impressions int not null,                  -- learnt from, late ones among them
  events int not null,
  version int,                               -- of the matrix it published
  reason text not null,                      -- why it published, or why not
  verdict jsonb not null,
  proposed jsonb,                            -- rows it would have published, had it not been in shadow
  settings jsonb,                            -- null: as in the batch before
  fleet bytea,                               -- prior from other banks that the published rows rest on
  primary key (bank_id, batch)
);

create table learner_clients (               -- who reports at all: the silence of others says nothing
  bank_id int not null, client text not null,
  reported timestamptz not null,
  primary key (bank_id, client)
);

do $$
declare
  name text;
begin
  foreach name in array array['learners', 'learner_batches', 'learner_clients'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy own_bank on %I using ('
      '(select current_setting(''fivefold.bank'', true)) = ''all'' or bank_id = '
      '(select nullif(nullif(current_setting(''fivefold.bank'', true), ''all''), '''')::int))', name);
  end loop;
end $$;
