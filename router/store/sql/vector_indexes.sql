-- Every bank's own vector index: name, is valid, is being built, the bank it serves (null: none any more).
select c.relname, i.indisvalid,
       exists (select from pg_stat_progress_create_index p where p.index_relid = i.indexrelid),
       b.name
from pg_index i
join pg_class c on c.oid = i.indexrelid
left join banks b on c.relname = 'memories_hnsw_' || b.bank_id || '_' || b.embedder
where i.indrelid = to_regclass('memories') and c.relname ~ '^memories_hnsw_[0-9]+_[0-9]+$'
order by c.relname
