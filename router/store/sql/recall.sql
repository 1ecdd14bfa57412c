-- One stored decision; columns as in StoredRecall.
select id, at, closed_at, actor, user_id, client, session, api_key, question, asked_at, timezone, types,
       corrected_type, analysis, request, channels, weights, rrf_k, caller_weights, matrix_version, policy,
       propensity, seed, noise, candidate_ids, ranks, scores, fused, shown_from, shown_ids, feature_version,
       features, degraded, timings, teams, learned_batch, learned_as, learned_type
from recalls where bank_id = %(bank)s and id = %(id)s
