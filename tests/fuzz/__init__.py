"""Mutated scripts through the whole command: `python -m tests.fuzz`."""
