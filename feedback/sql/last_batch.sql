-- The last batch of a bank; columns as in batches.sql.
select batch, at, kind, recalls, impressions, events, version, reason, verdict, proposed, settings, fleet
from learner_batches
where bank_id = %(bank)s
order by batch desc
limit 1
