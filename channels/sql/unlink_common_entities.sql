-- Removes the edges of entities that more memories than allowed now mention.
-- "via <> 0" is what the index on via demands, and an array keeps to it whatever the statistics say.
delete from edges
where bank_id = %(bank)s and made_by = 'entity' and via <> 0 and via = any(array(
  select n.entity from entities n
  where n.bank_id = %(bank)s and n.entity = any(%(entities)s::bigint[]) and n.df > %(most)s))
