-- Banks, memories and what the lanes store beside them. Needs no extension but vector.
-- bank_id leads every primary, unique and foreign key, so the same schema can be sharded by bank.
create extension if not exists vector;

create sequence bank_keys as int;
create sequence memory_keys as bigint;

create table embedders (
  embedder int primary key,
  name text not null unique,
  dim int not null check (dim > 0)
);

create table banks (
  bank_id int primary key,
  name text collate "C" not null unique,
  title text,
  config jsonb not null default '{}',
  embedder int not null references embedders,
  analyser int not null,
  created_at timestamptz not null
);

-- Counters change with every write: narrow rows, so that no vector row is ever rewritten for them.
create table bank_stats (
  bank_id int primary key,
  docs int not null default 0,               -- memories with postings
  length double precision not null default 0,  -- sum of postings.length over memories
  live int not null default 0                -- memories not superseded
) with (fillfactor = 50);

create table memories (
  bank_id int not null,
  key bigint not null,
  id text collate "C" not null,
  text text not null,
  context text, title text, description text,
  kind text not null,
  speaker text, episode text, position int,
  occurred_at timestamptz, occurred_start timestamptz, occurred_end timestamptz, mentioned_at timestamptz,
  granularity text,
  happened timestamptz,                      -- effective time: start, else mentioned, else end
  happened_end timestamptz,                  -- end of the interval a coarse date covers, else null
  valid_at timestamptz, invalid_at timestamptz,    -- world time
  created_at timestamptz not null, expired_at timestamptz,  -- known time
  superseded_by bigint,
  tags text[] not null default '{}',
  topic text collate "C",
  metadata jsonb not null default '{}',
  entities jsonb not null default '[]',
  affect_labels jsonb not null default '[]',
  behaviour jsonb,
  embedder int not null,
  analyser int not null,
  embedding halfvec,                         -- null: the text has no direction; the lane skips it
  affect halfvec(132),                       -- null: no feeling in text, behaviour or labels
  affect_layout text,
  words int not null,
  has_time boolean not null,                 -- the text carries a time expression
  is_question boolean not null,
  content_hash bytea not null,
  primary key (bank_id, key),
  unique (bank_id, id)
);
-- A vector that leaves its row makes exact scans 6-8 times slower.
alter table memories alter embedding set storage main, alter affect set storage main;
create index memories_hash on memories (bank_id, content_hash);
create index memories_happened on memories (bank_id, happened desc, key);
create index memories_span on memories (bank_id, happened_end) where happened_end is not null;
create index memories_episode on memories (bank_id, episode, (coalesce(happened, '-infinity'::timestamptz)),
  (coalesce(position, 0)), key) where episode is not null;
create index memories_topic on memories (bank_id, topic) where topic is not null;
create index memories_tags on memories using gin (tags);
create index memories_affect on memories (bank_id, key) where affect is not null;

create table memory_stats (
  bank_id int not null, key bigint not null,
  proof_count int not null default 1,
  recalls int not null default 0, uses int not null default 0,
  last_used_at timestamptz,
  stability_days real,                       -- null: the default of the memory's kind
  primary key (bank_id, key),
  foreign key (bank_id, key) references memories on delete cascade
) with (fillfactor = 70);

create table episodes (
  bank_id int not null, episode text not null,
  members int not null, embedder int not null,
  vector_sum vector not null,                -- sum of the members' unit vectors
  mean halfvec not null,                     -- its direction, unit length
  primary key (bank_id, episode)
);
alter table episodes alter mean set storage main, alter vector_sum set storage main;

-- Token vectors for late interaction, packed (channels/tokens.py). Apart from the row, so that scans stay narrow;
-- not compressed, because 4-bit values do not compress.
create table memory_tokens (
  bank_id int not null, key bigint not null, embedder int not null, tokens bytea not null,
  primary key (bank_id, key),
  foreign key (bank_id, key) references memories on delete cascade
);
alter table memory_tokens alter tokens set storage external;

-- Intervals named inside the text, read once at write time.
create table memory_dates (
  bank_id int not null, key bigint not null, starts timestamptz not null, ends timestamptz not null,
  primary key (bank_id, key, starts, ends),
  foreign key (bank_id, key) references memories on delete cascade,
  check (starts < ends)
);
create index memory_dates_starts on memory_dates (bank_id, starts, ends, key);

-- BM25. term is a 64-bit hash of the analysed word; tf counts neighbours' words at a fraction.
create table postings (
  bank_id int not null, key bigint not null, term bigint not null,
  tf real not null, length real not null, impact real not null,
  own boolean not null,                      -- the memory says it itself, not only a neighbour
  primary key (bank_id, key, term),
  foreign key (bank_id, key) references memories on delete cascade
);
create index postings_impact on postings (bank_id, term, impact desc, key) include (tf, length);
create table term_stats (
  bank_id int not null, term bigint not null,
  df int not null,                           -- memories with a posting
  own_df int not null,                       -- of those, the ones that say it themselves
  primary key (bank_id, term)
) with (fillfactor = 70);

create table edges (
  bank_id int not null, src bigint not null, dst bigint not null,
  type text not null,
  via bigint not null default 0,             -- the shared term or entity that made the edge, else 0
  strength real not null check (strength > 0 and strength <= 1),
  made_by text not null,                     -- caller, or the rule that wrote it
  created_at timestamptz not null,
  primary key (bank_id, src, dst, type, via),
  foreign key (bank_id, src) references memories on delete cascade,
  foreign key (bank_id, dst) references memories on delete cascade,
  check (src <> dst)
);
create index edges_out on edges (bank_id, src, strength desc) include (dst, type);
create index edges_in on edges (bank_id, dst, strength desc) include (src, type);
create index edges_via on edges (bank_id, via) where via <> 0;

create table entities (
  bank_id int not null, entity bigint not null,
  name text not null, kind text not null default '',
  df int not null,
  primary key (bank_id, entity)
) with (fillfactor = 70);
create table memory_entities (
  bank_id int not null, key bigint not null, entity bigint not null,
  primary key (bank_id, key, entity),
  foreign key (bank_id, key) references memories on delete cascade
);
create index memory_entities_entity on memory_entities (bank_id, entity, key);
