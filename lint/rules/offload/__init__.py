"""Offload, precision and what training keeps in memory."""
