-- The next memories whose SIMILAR_TO edges are still those of the former model: key.
select key from memories where bank_id = %(bank)s and key > %(after)s order by key limit %(limit)s
