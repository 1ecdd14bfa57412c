-- The strongest feelings of a bank, strongest first: no inner product with an asked feeling passes this length.
create index memories_feeling on memories (bank_id, (l2_norm(affect)) desc, key) where affect is not null;

-- Feelings that callers named, of memories without a trajectory of this layout.
create index memories_tagged on memories (bank_id, key desc)
  where affect_labels <> '[]' and (affect is null or affect_layout <> 'dct-33x4-v1');

-- A bank on its way from one embedding model to another: what is asked for, and the new vectors until all are there.
create table reembeddings (
  bank_id int primary key,
  former int not null,                       -- the model that answers until the swap
  embedder int not null,                     -- the model wanted
  requested_at timestamptz not null,
  swapped_at timestamptz,                    -- null: vectors are still being made
  linked bigint not null default 0,          -- after the swap: SIMILAR_TO is new for memories up to this key
  worker text, busy_until timestamptz,       -- one process at a time; a dead one's claim runs out
  problem text                               -- why it does not get on, else null
);

-- Beside the memories, so that no scan ever meets vectors of two models.
create table renewed_vectors (
  bank_id int not null, key bigint not null, embedder int not null,
  content_hash bytea not null,               -- of the memory as it was read; a changed one is read again
  embedding halfvec, tokens bytea,
  primary key (bank_id, key),
  foreign key (bank_id, key) references memories on delete cascade
);
alter table renewed_vectors alter embedding set storage main, alter tokens set storage external;

do $$
declare
  name text;
begin
  foreach name in array array['reembeddings', 'renewed_vectors'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy own_bank on %I using ('
      '(select current_setting(''fivefold.bank'', true)) = ''all'' or bank_id = '
      '(select nullif(nullif(current_setting(''fivefold.bank'', true), ''all''), '''')::int))', name);
  end loop;
end $$;
