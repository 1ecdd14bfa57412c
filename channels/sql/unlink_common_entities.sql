-- Removes the edges of entities that more memories than allowed now mention.
delete from edges
where bank_id = %(bank)s and made_by = 'entity' and via in (
  select n.entity from entities n
  where n.bank_id = %(bank)s and n.entity = any(%(entities)s::bigint[]) and n.df > %(most)s)
