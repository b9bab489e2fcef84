"""Checking: what one script, and many, go through from text to findings."""
