"""Copies of a recipe on release branches and in folders: compare, backport."""
