-- Withdraws open branches of the given memories that are none any more.
update proposals p set state = 'withdrawn'
where p.bank_id = %(bank)s and p.about = any(%(keys)s::bigint[]) and p.rule = 'two_successors' and p.state = 'open'
  and not exists (select from unnest(%(older)s::bigint[], %(newer)s::bigint[]) x(older, newer)
                  where x.older = p.older and x.newer = p.newer)
