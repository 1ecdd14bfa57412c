-- Every stored decision, the oldest first, with memories by id; columns as in recall.sql without the API key.
select id, at, closed_at, actor, user_id, client, session, question, asked_at, timezone, types, corrected_type,
       analysis, request, channels, weights, rrf_k, caller_weights, matrix_version, policy, propensity, seed, noise,
       candidate_ids, ranks, scores, fused, shown_from, shown_ids, feature_version, features, degraded, timings
from recalls
where bank_id = %(bank)s
order by at, id
