"""Sequence lengths, token budgets and the context of the model."""
