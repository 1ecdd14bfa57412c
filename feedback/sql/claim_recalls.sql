-- Sealed recalls that nothing was learnt from yet, in canonical order, locked; those locked by others are left for later.
select id, at, actor, client, api_key, question, types, corrected_type, learned_type, learned_as, channels, weights,
  rrf_k, caller_weights, matrix_version, policy, propensity, candidate_keys, ranks, shown_from, shown_keys, shown_ids, teams,
  feature_version, features, analysis -> 'adjustments' as adjustments, is_forgotten
from recalls
where bank_id = %(bank)s and learned_batch is null and (closed_at <= %(closed)s or at <= %(opened)s)
order by at, id
limit %(limit)s
for no key update skip locked
