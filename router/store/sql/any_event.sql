-- Whether anybody has sent this bank an event; those that we derived ourselves do not count.
select exists (select from events where bank_id = %(bank)s and annotator not like 'implicit:%%')
