"""Expansions that bash gives up on."""

from __future__ import annotations

from lint.text import Span


class Placed(Exception):
    """Something that bash gives up on. `span` is the innermost expansion that it is in, where there is one."""

    span: Span | None = None

    def place(self, span: Span) -> None:
        """Note an expansion around it, unless one within that is noted already."""
        self.span = self.span or span


class Fatal(Placed):
    """An expansion that bash gives up on: the script ends (`ends`), or the rest of the line is not run."""

    def __init__(self, message: str, ends: bool = False, status: int = 1) -> None:
        super().__init__(message)
        self.ends = ends
        self.status = status


class NoMatch(Fatal):
    """A pattern that matches no file, under `failglob`: bash looks for files once all words are expanded."""


class TooLong(RecursionError):
    """Work that would take too long. Like what is nested too deep, it ends the command, and that is said."""
