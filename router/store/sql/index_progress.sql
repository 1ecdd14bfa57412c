-- The index of that name: state, phase of its build, blocks read, of how many; no row when there is none.
select case when i.indisvalid then 'ready' when p.pid is not null then 'building' else 'invalid' end,
       p.phase, coalesce(p.blocks_done, 0), coalesce(p.blocks_total, 0)
from pg_index i
join pg_class c on c.oid = i.indexrelid
left join pg_stat_progress_create_index p on p.index_relid = i.indexrelid
where c.relname = %(name)s
