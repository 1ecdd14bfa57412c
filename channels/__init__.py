"""Five ways to find memories. A lane knows nothing of weights, fusion or feedback."""
