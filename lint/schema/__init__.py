"""Knowing verl: one schema per release, built by real Hydra and loaded as data."""
