-- Of the recalls learnt from last, those whose question was asked more than once; columns as in claim_recalls.sql.
with latest as (
  select id, at, actor, client, api_key, question, types, corrected_type, learned_type, learned_as, channels, weights,
    rrf_k, caller_weights, matrix_version, policy, propensity, candidate_keys, ranks, shown_from, shown_keys, shown_ids, teams,
    feature_version, features, analysis -> 'adjustments' as adjustments, is_forgotten
  from recalls
  where bank_id = %(bank)s and learned_as <> 'none'
  order by learned_batch desc, at desc, id desc
  limit %(limit)s
),
counted as (
  select latest.*, count(*) over (partition by lower(btrim(regexp_replace(question, '\s+', ' ', 'g')))) as times
  from latest
)
select * from counted where times > 1
