-- The bank of that name, for null every bank by name: key, name, title, config, embedder, its name and dimension, analyser, created, live rows, indexed.
select b.bank_id, b.name, b.title, b.config, b.embedder, e.name, e.dim, b.analyser, b.created_at,
       coalesce(s.live, 0),
       exists (select from pg_index i join pg_class c on c.oid = i.indexrelid
               where i.indisvalid and c.relname = 'memories_hnsw_' || b.bank_id || '_' || b.embedder)
from banks b
join embedders e on e.embedder = b.embedder
left join bank_stats s on s.bank_id = b.bank_id
where %(name)s::text is null or b.name = %(name)s
order by b.name
