-- Asks for another model; asking again for the same changes nothing.
insert into reembeddings as r (bank_id, former, embedder, requested_at)
select b.bank_id, b.embedder, %(embedder)s, %(now)s from banks b
where b.bank_id = %(bank)s and b.embedder <> %(embedder)s
on conflict (bank_id) do update set former = excluded.former, embedder = excluded.embedder,
  requested_at = excluded.requested_at, swapped_at = null, linked = 0, worker = null, busy_until = null, problem = null
where r.embedder <> excluded.embedder
