-- Seals recalls: in which batch, as what evidence, and with the type they had then.
update recalls
set learned_batch = %(batch)s, learned_as = m.learned_as, learned_type = corrected_type
from unnest(%(recall_ids)s::text[], %(learned_as)s::text[]) as m (id, learned_as)
where recalls.bank_id = %(bank)s and recalls.id = m.id
