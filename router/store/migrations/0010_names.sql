-- Names that stand for memories, so that a memory that names another is linked to it without reading any other text.
create table subjects (
  bank_id int not null, key bigint not null,
  name bigint not null,                      -- hash of the name's words; channels/subjects.py says how they are read
  is_common boolean not null default false,  -- more memories have or mention it than may be linked: it names nothing
  primary key (bank_id, key, name),
  foreign key (bank_id, key) references memories on delete cascade
);
create index subjects_name on subjects (bank_id, name, key);

do $$
begin
  alter table subjects enable row level security;
  alter table subjects force row level security;
  create policy own_bank on subjects using (
    (select current_setting('fivefold.bank', true)) = 'all' or bank_id =
    (select nullif(nullif(current_setting('fivefold.bank', true), 'all'), '')::int));
end $$;
