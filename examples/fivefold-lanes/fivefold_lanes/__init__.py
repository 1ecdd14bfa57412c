"""Lanes that fivefold finds by their entry points."""
