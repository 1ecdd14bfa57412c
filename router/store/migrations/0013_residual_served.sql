-- What the residual ranker adds to answers, apart from what it goes on learning: it stays while a learner is frozen.
alter table learners add column serving bytea;  -- null: nothing is added
