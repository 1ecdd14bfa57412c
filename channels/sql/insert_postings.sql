-- Postings in bulk.
insert into postings (bank_id, key, term, tf, length, impact, own)
select %(bank)s, * from unnest(%(keys)s::bigint[], %(terms)s::bigint[], %(tfs)s::real[], %(lengths)s::real[],
                               %(impacts)s::real[], %(owns)s::boolean[])
