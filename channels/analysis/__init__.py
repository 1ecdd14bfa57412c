"""How text becomes terms, step by step: clean, split, take identifiers apart, stem, read."""
