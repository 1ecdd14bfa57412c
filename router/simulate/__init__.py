"""The learner's test bed: real lanes and the real learner, simulated people."""
