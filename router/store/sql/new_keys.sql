-- As many fresh memory keys as asked, ascending.
select nextval('memory_keys') from generate_series(1, %(count)s)
