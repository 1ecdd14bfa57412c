"""Summaries of days, weeks and months: made from what memories say, and kept up with them."""
