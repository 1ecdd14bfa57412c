"""The database: the embedded server, the pool, the migrations and the statements over them."""
