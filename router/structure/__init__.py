"""What stands between memories: which replaced which, what is in dispute, and what was merged."""
