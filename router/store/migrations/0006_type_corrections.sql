-- What people said a question's type really was, never overwritten, and the small layer learnt from it.
create table type_corrections (
  bank_id int not null, number int not null,  -- counts up within a bank: the order they are learnt in
  deed text not null check (deed in ('corrected', 'retracted', 'reset')),
  recall_id text,                            -- null for a reset
  type text,                                 -- null unless corrected
  author text not null,                      -- the key that said so, or local
  actor text,                                -- who had asked
  trusted boolean not null,
  at timestamptz not null,
  base jsonb,                                -- the classifier's own probabilities of that question
  inputs jsonb,                              -- what the layer reads of it: feature -> value
  before jsonb, after jsonb,                 -- probabilities under the layer before and after this deed
  primary key (bank_id, number)
);
create index type_corrections_recall on type_corrections (bank_id, recall_id, number desc) where recall_id is not null;

create table type_layers (
  bank_id int primary key,
  number int not null,                       -- the last deed it knows of
  counted int not null,                      -- corrections learnt from
  evidence double precision not null,        -- what they count for under the caps
  weights jsonb not null,                    -- type -> feature -> log odds
  at timestamptz not null
);

do $$
declare
  name text;
begin
  foreach name in array array['type_corrections', 'type_layers'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format(
      'create policy own_bank on %I using ('
      '(select current_setting(''fivefold.bank'', true)) = ''all'' or bank_id = '
      '(select nullif(nullif(current_setting(''fivefold.bank'', true), ''all''), '''')::int))', name);
  end loop;
end $$;
