"""A bank as a folder of files, out of one store and into another."""
