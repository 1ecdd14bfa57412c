-- What other banks of the same library and default rows share, the latest first. Runs outside the banks' walls.
select l.bank_id, l.shared
from learners l
join banks b on b.bank_id = l.bank_id
where l.kin = %(kin)s and l.shared is not null and coalesce((b.config ->> 'fleet_prior')::boolean, true)
order by l.updated_at desc, l.bank_id
limit %(limit)s
