-- Bytes of a bank's texts and of its vectors, one row; nothing is decompressed for it.
select coalesce(sum(octet_length(text)), 0)::bigint as texts,
       coalesce(sum(coalesce(pg_column_size(embedding), 0) + coalesce(pg_column_size(affect), 0)), 0)::bigint as vectors
from memories where bank_id = %(bank)s
