"""A bank on its way to another embedding model, in the background."""
