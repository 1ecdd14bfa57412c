-- What recall shows and records of its candidates: key, id, when it happened as given, end, episode, speaker, words,
-- has_time, is_question, kind, state, successor's id, and for keys of the page text, tags, topic, metadata, title,
-- context; the ends of its dates; whether it is marked as a copy of the past, and whether anything of it is in dispute;
-- from when on it happened, of a coarse time the beginning of its unit.
select m.key, m.id, coalesce(m.occurred_start, m.occurred_at, m.mentioned_at, m.occurred_end, m.happened),
       coalesce(m.happened_end, m.happened), m.episode, m.speaker, m.words, m.has_time,
       m.is_question, m.kind, m.expired_at is not null, s.id,
       case when m.key = any(%(page)s::bigint[])
            then jsonb_build_object('text', m.text, 'tags', m.tags, 'topic', m.topic, 'metadata', m.metadata,
                                    'title', m.title, 'context', m.context) end,
       (select array_agg(d.starts order by d.starts, d.ends) from memory_dates d
        where d.bank_id = %(bank)s and d.key = m.key),
       (select array_agg(d.ends order by d.starts, d.ends) from memory_dates d
        where d.bank_id = %(bank)s and d.key = m.key),
       exists (select from proposals p where p.bank_id = %(bank)s and p.older = m.key and p.state = 'open'
               and p.rule = 'restates_superseded'),
       m.key = any(%(page)s::bigint[]) and exists (
         select from proposals p where p.bank_id = %(bank)s and p.state = 'open' and p.rule = 'two_successors'
         and (p.older = m.key or p.newer = m.key)),
       m.happened
from memories m
left join memories s on s.bank_id = %(bank)s and s.key = m.superseded_by
where m.bank_id = %(bank)s and m.key = any(%(keys)s::bigint[])
