"""Trainer generations (V0, V1) and asynchronous modes."""
