-- Puts a bank's layer in force.
insert into type_layers (bank_id, number, counted, evidence, weights, at)
values (%(bank)s, %(number)s, %(counted)s, %(evidence)s, %(weights)s, %(now)s)
on conflict (bank_id) do update set
  number = excluded.number, counted = excluded.counted, evidence = excluded.evidence,
  weights = excluded.weights, at = excluded.at
