-- One memory as its caller gave it, and what became of it; columns as in StoredMemory.
select m.key, m.id, m.text, m.context, m.title, m.description, m.kind, m.speaker, m.episode, m.position,
       m.occurred_at, m.occurred_start, m.occurred_end, m.mentioned_at, m.granularity, m.tags, m.topic,
       m.entities, m.affect_labels as affect, m.behaviour, m.metadata, coalesce(t.proof_count, 1) as proof_count,
       m.happened, m.valid_at, m.invalid_at, m.created_at, m.expired_at, s.id as superseded_by,
       coalesce((select array_agg(d.id order by d.id) from edges e
                 join memories d on d.bank_id = %(bank)s and d.key = e.dst
                 where e.bank_id = %(bank)s and e.src = m.key and e.made_by = 'caller'
                   and e.type = 'SUPERSEDES'), '{}') as supersedes,
       coalesce((select jsonb_agg(jsonb_build_object('type', e.type, 'to', d.id, 'strength', e.strength)
                                  order by e.type, d.id) from edges e
                 join memories d on d.bank_id = %(bank)s and d.key = e.dst
                 where e.bank_id = %(bank)s and e.src = m.key and e.made_by = 'caller'
                   and e.type <> 'SUPERSEDES'), '[]') as edges
from memories m
left join memory_stats t on t.bank_id = %(bank)s and t.key = m.key
left join memories s on s.bank_id = %(bank)s and s.key = m.superseded_by
where m.bank_id = %(bank)s and m.id = %(id)s
