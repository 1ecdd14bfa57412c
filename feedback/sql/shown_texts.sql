-- Speakers and the beginnings of the texts of memories, as they are now.
select key, speaker, left(text, %(most)s) as text
from memories
where bank_id = %(bank)s and key = any(%(keys)s::bigint[])
