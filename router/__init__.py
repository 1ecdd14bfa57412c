"""A question in, ranked memories out, the decision on record. Imports nothing (see __main__)."""
