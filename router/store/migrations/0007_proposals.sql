-- Which memory replaced which: who said so and why, what rules propose, and the evidence behind merged observations.
create table supersessions (                 -- never changed: every deed as it was done
  bank_id int not null, number int not null, -- counts up within a bank
  deed text not null check (deed in ('superseded', 'undone')),
  older text collate "C" not null,           -- ids, so that the audit outlives the memories
  newer text collate "C",                    -- null: the successor had been deleted before the undoing
  along text collate "C",                    -- id of the memory whose copy this one is, else null
  rule text not null,                        -- caller, duplicate, or the rule of the proposal that was accepted
  reason text, author text not null,         -- the key that said so, local, cli, or retain
  at timestamptz not null,
  primary key (bank_id, number)
);
create index supersessions_older on supersessions (bank_id, older, number desc);

create table proposals (
  bank_id int not null, number int not null, -- counts up within a bank
  older bigint not null, newer bigint not null,  -- to be superseded, and by which
  about bigint,                              -- the superseded memory that the two quarrel over, else null
  rule text not null, evidence jsonb not null,   -- what fired, and on which words
  state text not null check (state in ('open', 'accepted', 'dismissed', 'withdrawn')),
  at timestamptz not null,
  settled_at timestamptz, settled_by text, reason text, kept text,
  primary key (bank_id, number),
  unique (bank_id, older, newer),            -- a pair that was dismissed is not proposed again
  foreign key (bank_id, older) references memories on delete cascade,
  foreign key (bank_id, newer) references memories on delete cascade,
  foreign key (bank_id, about) references memories on delete cascade,
  check (older <> newer)
);
create index proposals_newer on proposals (bank_id, newer);
create index proposals_about on proposals (bank_id, about) where about is not null;
create index proposals_open on proposals (bank_id, number desc) where state = 'open';

create table observation_sources (
  bank_id int not null, key bigint not null, -- the observation that stands for all of them
  id text collate "C" not null,              -- what its caller called it
  text text not null, happened timestamptz,
  proofs int not null,                       -- what it added to the count
  content_hash bytea not null,               -- makes a repeated request a repetition
  at timestamptz not null,
  primary key (bank_id, id),
  foreign key (bank_id, key) references memories on delete cascade
);
create index observation_sources_key on observation_sources (bank_id, key, at);
create index observation_sources_hash on observation_sources (bank_id, content_hash);

create index edges_newer on edges (bank_id, dst, src) where type = 'SUPERSEDES';
create index edges_older on edges (bank_id, src, dst) where type = 'SUPERSEDES';
create index memories_past on memories (bank_id, key) where expired_at is not null;
-- Finds what says the same word for word; the words are compared after it, so that a collision costs nothing.
create index memories_said on memories
  (bank_id, hashtextextended(lower(btrim(regexp_replace(text, '\s+', ' ', 'g'))), 0));

do $$
declare
  name text;
begin
  foreach name in array array['supersessions', 'proposals', 'observation_sources'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy own_bank on %I using ('
      '(select current_setting(''fivefold.bank'', true)) = ''all'' or bank_id = '
      '(select nullif(nullif(current_setting(''fivefold.bank'', true), ''all''), '''')::int))', name);
  end loop;
end $$;
