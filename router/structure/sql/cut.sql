-- Removes the edges by which the given memories were superseded, by one successor or (null) by all: older, newer.
delete from edges
where bank_id = %(bank)s and dst = any(%(keys)s::bigint[]) and type = 'SUPERSEDES'
  and (%(newer)s::bigint is null or src = %(newer)s)
returning dst, src
