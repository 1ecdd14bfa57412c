"""The learner end to end: a real server, its worker, and simulated people who speak HTTP."""
