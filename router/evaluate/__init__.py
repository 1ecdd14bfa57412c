"""How good the answers are: data sets in, metrics with intervals out."""
