-- Takes an actor's recalls out of the evidence: how many counted.
update recalls
set learned_as = 'none'
where bank_id = %(bank)s and actor = %(actor)s and learned_as <> 'none'
