-- Events deleted with their actor's: only their ids, so that a client that sends them again brings nothing back.
create table forgotten_events (
  bank_id int not null, event_id text not null,
  primary key (bank_id, event_id)
);
alter table forgotten_events enable row level security;
alter table forgotten_events force row level security;
create policy own_bank on forgotten_events using (
  (select current_setting('fivefold.bank', true)) = 'all' or bank_id =
  (select nullif(nullif(current_setting('fivefold.bank', true), 'all'), '')::int));

-- And their recalls: whatever is said of them later teaches nothing.
alter table recalls add column is_forgotten boolean not null default false;
