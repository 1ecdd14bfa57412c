-- Entities that a memory is counted for.
select entity from memory_entities where bank_id = %(bank)s and key = %(key)s
