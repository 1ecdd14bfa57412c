-- The layer that adjusts a bank's types: number, counted, evidence, weights, at; no row before the first correction.
select number, counted, evidence, weights, at from type_layers where bank_id = %(bank)s
