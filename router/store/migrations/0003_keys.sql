-- API keys. Only a SHA-256 of the secret is kept.
create table api_keys (
  id text primary key,
  name text not null,
  hash bytea not null,
  scopes text[] not null,
  banks text not null,                       -- shell-style pattern over bank names
  trusted boolean not null default false,
  created_at timestamptz not null,
  revoked_at timestamptz
);
