-- The given memories and all that are tied to them by SUPERSEDES, either way and through others: key.
with recursive part as (
  select k.key from unnest(%(keys)s::bigint[]) k(key)
  union
  select x.other
  from part p
  cross join lateral (
    select e.dst as other from edges e where e.bank_id = %(bank)s and e.src = p.key and e.type = 'SUPERSEDES'
    union all
    select e.src from edges e where e.bank_id = %(bank)s and e.dst = p.key and e.type = 'SUPERSEDES'
  ) x
)
select key from part order by key
