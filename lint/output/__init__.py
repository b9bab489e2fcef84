"""Findings as text, JSON, and the formats of other tools: one module each."""
