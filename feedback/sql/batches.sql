-- Batches after one, in order; their settings only where they changed.
select batch, at, kind, recalls, impressions, events, version, reason, verdict, proposed, settings, fleet
from learner_batches
where bank_id = %(bank)s and batch > %(after)s
order by batch
limit %(limit)s
