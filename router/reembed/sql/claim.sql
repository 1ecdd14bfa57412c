-- Takes or keeps the work on a bank until a moment, unless another process has it or it has moved on: the model wanted.
update reembeddings set worker = %(worker)s, busy_until = %(until)s
where bank_id = %(bank)s and embedder = %(embedder)s and (swapped_at is not null) = %(swapped)s
  and (worker = %(worker)s or busy_until is null or busy_until < %(now)s)
returning embedder
