-- What was answered, what came back, and the weights in force.
create table recalls (
  bank_id int not null, id text not null,
  at timestamptz not null,
  closed_at timestamptz,                     -- set by feedback; a closed recall is learnt from
  actor text not null,                       -- user, else client, else the key
  user_id text, client text, session text, api_key text,
  question text not null, asked_at timestamptz not null, timezone text not null,
  types jsonb not null,                      -- type -> probability
  corrected_type text,
  analysis jsonb not null,                   -- window, identifiers, entities, affect, cues
  request jsonb not null,                    -- k, offset, depth, filters and whatever else was asked
  channels text[] not null,                  -- column order of ranks, scores and weights
  weights real[] not null, rrf_k real not null,
  caller_weights boolean not null,
  matrix_version int not null, policy text not null, propensity real not null,
  seed bigint not null, noise real not null,
  candidate_keys bigint[] not null, candidate_ids text[] not null,  -- every channel's hits, fused order
  ranks smallint[] not null,                 -- row-major (candidates, channels); 0 = not returned
  scores real[] not null,                    -- same shape; raw scores, 0 where rank is 0
  fused double precision[] not null,
  shown_from int not null,                   -- offset of the page
  shown_keys bigint[] not null, shown_ids text[] not null,
  feature_version int not null,
  features bytea not null,                   -- float16, row-major (shown, features), centred over candidates
  degraded text[] not null, timings jsonb not null,
  primary key (bank_id, id)
);
create index recalls_id on recalls (id);      -- an event may name another bank's recall
create index recalls_at on recalls (bank_id, at desc, id);
create index recalls_session on recalls (bank_id, session, at desc) where session is not null;

create table events (
  bank_id int not null, event_id text not null,
  recall_id text,                            -- null until a parked event without one is given up
  action text not null,
  memory_id text, memory_key bigint, position int,
  value real, confidence real not null, annotator text not null,
  happened timestamptz not null,             -- the client's clock
  received timestamptz not null,             -- ours
  state text not null check (state in ('joined', 'parked', 'late', 'expired')),
  actor text,                                -- the actor of the recall it joined
  api_key text, trusted boolean not null default false,
  body jsonb not null,                       -- the event as it came
  content_hash bytea not null,
  applied_version int,                       -- matrix version that consumed it
  primary key (bank_id, event_id)
);
create index events_recall on events (bank_id, recall_id);
create index events_parked on events (bank_id, received) where state = 'parked';
create index events_todo on events (bank_id, received, event_id) where applied_version is null and state = 'joined';

create table matrices (
  bank_id int not null, version int not null, parent int,
  rows jsonb not null,                       -- type -> {"weights": {channel: w}, "rrf_k": k}
  reason text not null, author text not null,
  evidence jsonb not null default '{}',
  at timestamptz not null,
  primary key (bank_id, version)
);
create table matrix_heads (bank_id int primary key, version int not null);
