-- Every memory as its caller gave it and what became of it, in order of arrival; edges are in export_edges.sql.
select m.id, m.text, m.context, m.title, m.description, m.kind, m.speaker, m.episode, m.position,
       m.occurred_at, m.occurred_start, m.occurred_end, m.mentioned_at, m.granularity, m.tags, m.topic,
       m.entities, m.affect_labels as affect, m.behaviour, m.metadata, coalesce(t.proof_count, 1) as proof_count,
       coalesce((select array_agg(d.id order by d.id) from edges e
                 join memories d on d.bank_id = %(bank)s and d.key = e.dst
                 where e.bank_id = %(bank)s and e.src = m.key and e.made_by = 'caller'
                   and e.type = 'SUPERSEDES'
                   and d.expired_at is not null), '{}') as supersedes,
       m.created_at, m.expired_at, m.invalid_at, s.id as superseded_by, encode(m.content_hash, 'hex') as content_hash,
       coalesce(t.recalls, 0) as recalls, coalesce(t.uses, 0) as uses, t.last_used_at, t.stability_days
from memories m
left join memory_stats t on t.bank_id = %(bank)s and t.key = m.key
left join memories s on s.bank_id = %(bank)s and s.key = m.superseded_by
where m.bank_id = %(bank)s
  and not exists (select from summaries y  -- made anew from the others; one that somebody edited is theirs
                  where y.bank_id = %(bank)s and y.key = m.key and y.made_hash = m.content_hash)
order by m.key
