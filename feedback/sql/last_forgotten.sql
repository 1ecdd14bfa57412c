-- The last batch of a bank that began by deleting evidence, null without one.
select max(batch) from learner_batches where bank_id = %(bank)s and kind = 'rebuilt' and reason = %(reason)s
