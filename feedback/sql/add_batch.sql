-- Puts a batch on record.
insert into learner_batches (bank_id, batch, at, kind, recalls, impressions, events, version, reason, verdict, proposed,
  settings, fleet)
values (%(bank)s, %(batch)s, %(at)s, %(kind)s, %(recalls)s, %(impressions)s, %(events)s, %(version)s, %(reason)s,
  %(verdict)s, %(proposed)s, %(settings)s, %(fleet)s)
