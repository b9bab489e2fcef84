"""Capital and small letters, of which bash knows those that are one character."""

from __future__ import annotations


def upper(character: str) -> str:
    """The capital letter, if that is one character: bash knows no other."""
    changed = character.upper()
    return changed if len(changed) == 1 else character


def lower(character: str) -> str:
    """The small letter, if that is one character."""
    return character.lower()[:1]  # of `İ`, Python knows a small letter with a dot to put on it
