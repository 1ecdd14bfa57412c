-- Postings of the asked terms, best impact first, as many as asked: place of the term, packed postings.
-- Packed, because rows would cost the driver more than the whole scan does; the layout is tally.POSTING.
select a.place, coalesce(p.packed, '')
from unnest(%(terms)s::bigint[], %(shares)s::int[]) with ordinality a(term, share, place)
cross join lateral (
  select string_agg(int8send(i.key) || float4send(i.tf) || float4send(i.length), '') as packed
  from (
    select key, tf, length
    from postings
    where bank_id = %(bank)s and term = a.term
    order by impact desc, key limit a.share
  ) i
) p
