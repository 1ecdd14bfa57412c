-- What a memory says beside its text: tags, topic, metadata, entities, affect.
select tags, topic, metadata, entities, affect_labels as affect from memories where bank_id = %(bank)s and key = %(key)s
