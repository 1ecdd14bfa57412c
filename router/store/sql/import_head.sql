-- Makes a version the live one unless one is.
insert into matrix_heads (bank_id, version) values (%(bank)s, %(version)s) on conflict (bank_id) do nothing
