"""What a rule and the memory model look at: one launch with everything that is known about it."""
