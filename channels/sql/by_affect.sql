-- Visible memories with a trajectory, by the best inner product over the targets, weighed against the cosine with the
-- question: key, inner product, cosine (or null), and the blend of both in standard deviations of the bank.
with felt as (
  select m.key,
         (select max(-(m.affect <#> t.target)) from unnest(%(targets)s::halfvec[]) t(target)) as product,
         case when %(vector)s::text is not null and m.embedder = %(embedder)s
              then 1 - (m.embedding <=> %(vector)s::halfvec) end as cosine
  from memories m
  where m.bank_id = %(bank)s and m.affect is not null and m.affect_layout = %(layout)s
    and m.key <> %(except)s and (%(without)s::text is null or m.episode is distinct from %(without)s) and /* visible */
),
spread as (
  select avg(product) as product, nullif(stddev_pop(product), 0) as product_sd,
         avg(cosine) as cosine, nullif(stddev_pop(cosine), 0) as cosine_sd
  from felt
)
select f.key, f.product, f.cosine,
       %(feeling_share)s * coalesce((f.product - s.product) / s.product_sd, 0)
       + (1 - %(feeling_share)s) * coalesce((f.cosine - s.cosine) / s.cosine_sd, 0) as score
from felt f cross join spread s
where f.product >= %(floor)s
order by score desc, f.product desc, f.key
limit %(limit)s
