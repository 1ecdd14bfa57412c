-- Completes a deed by the probabilities under the layer that it led to.
update type_corrections set after = %(after)s where bank_id = %(bank)s and number = %(number)s
