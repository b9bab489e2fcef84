"""Suppression: findings that comments and baselines silence."""
