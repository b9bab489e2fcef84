"""Parallel sizes against the architecture of the model and the devices of the cluster."""
