-- Writes what a memory says beside its text. Its content's hash stays, so that sending it again stays a repetition.
update memories set tags = %(tags)s, topic = %(topic)s, metadata = %(metadata)s, entities = %(entities)s,
  affect_labels = %(affect)s
where bank_id = %(bank)s and key = %(key)s
