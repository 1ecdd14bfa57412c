-- Writes an episode's members, vector sum and mean direction.
insert into episodes (bank_id, episode, members, embedder, vector_sum, mean)
values (%(bank)s, %(episode)s, %(members)s, %(embedder)s, %(vector_sum)s, %(mean)s)
on conflict (bank_id, episode) do update set members = excluded.members, embedder = excluded.embedder,
  vector_sum = excluded.vector_sum, mean = excluded.mean
