"""Reading a question: its types, its time window, its words, names and feelings."""
