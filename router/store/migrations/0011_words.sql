-- Each indexed word beside its hash, so that words can be found by how they begin.
alter table term_stats add column word text collate "C";  -- null: counted before words were kept; maintain fills it in
create index term_stats_word on term_stats (bank_id, word) where word is not null;
