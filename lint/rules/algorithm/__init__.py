"""Advantage, loss, KL, correction and reward settings that contradict each other."""
