-- Writes one decision record.
insert into recalls (bank_id, id, at, actor, user_id, client, session, api_key, question, asked_at, timezone, types,
  analysis, request, channels, weights, rrf_k, caller_weights, matrix_version, policy, propensity, seed, noise,
  candidate_keys, candidate_ids, ranks, scores, fused, shown_from, shown_keys, shown_ids, feature_version, features,
  degraded, timings, teams)
values (%(bank)s, %(id)s, %(at)s, %(actor)s, %(user)s, %(client)s, %(session)s, %(api_key)s, %(question)s,
  %(asked_at)s, %(timezone)s, %(types)s, %(analysis)s, %(request)s, %(channels)s, %(weights)s, %(rrf_k)s,
  %(caller_weights)s, %(matrix_version)s, %(policy)s, %(propensity)s, %(seed)s, %(noise)s, %(candidate_keys)s,
  %(candidate_ids)s, %(ranks)s, %(scores)s, %(fused)s, %(shown_from)s, %(shown_keys)s, %(shown_ids)s,
  %(feature_version)s, %(features)s, %(degraded)s, %(timings)s, %(teams)s)
on conflict (bank_id, id) do nothing
