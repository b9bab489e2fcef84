"""Predicting memory: bytes per device and phase, and per node of the host, from a launch alone."""
