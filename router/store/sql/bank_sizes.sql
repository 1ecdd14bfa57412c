-- Counts of what a bank holds, one row.
select coalesce((select live from bank_stats where bank_id = %(bank)s), 0) as memories,
       (select count(*) from memories where bank_id = %(bank)s and expired_at is not null) as superseded,
       (select count(distinct episode) from memories where bank_id = %(bank)s and episode is not null) as episodes,
       (select count(*) from entities where bank_id = %(bank)s and df > 0) as entities,
       (select count(*) from summaries where bank_id = %(bank)s) as summaries,
       (select count(*) from edges where bank_id = %(bank)s) as edges,
       (select count(*) from recalls where bank_id = %(bank)s) as recalls,
       (select count(*) from events where bank_id = %(bank)s) as events
