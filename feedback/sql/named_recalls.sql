-- Recalls by id, in canonical order; columns as in claim_recalls.sql.
select id, at, actor, client, api_key, question, types, corrected_type, learned_type, learned_as, channels, weights,
  rrf_k, caller_weights, matrix_version, policy, propensity, candidate_keys, ranks, shown_from, shown_keys, shown_ids, teams,
  feature_version, features, analysis -> 'adjustments' as adjustments, is_forgotten
from recalls
where bank_id = %(bank)s and id = any(%(recall_ids)s::text[])
order by at, id
