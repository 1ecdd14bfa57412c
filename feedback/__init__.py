"""Events in, better weights out. Never imports the router."""
