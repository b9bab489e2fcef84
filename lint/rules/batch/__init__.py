"""Batch sizes against each other, the devices and the micro-batches."""
