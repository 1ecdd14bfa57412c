"""The time grammar: words of several languages to stretches of local time."""
