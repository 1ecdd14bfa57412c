"""The stage after fusion: whom a reranker is given."""
