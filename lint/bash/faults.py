"""Expansions that bash gives up on."""

from __future__ import annotations


class Fatal(Exception):
    """An expansion that bash gives up on: the script ends (`ends`), or the rest of the line is not run."""

    def __init__(self, message: str, ends: bool = False, status: int = 1) -> None:
        super().__init__(message)
        self.ends = ends
        self.status = status


class NoMatch(Fatal):
    """A pattern that matches no file, under `failglob`: bash looks for files once all words are expanded."""


class TooLong(RecursionError):
    """Work that would take too long. Like what is nested too deep, it ends the command, and that is said."""
