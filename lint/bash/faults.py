"""Expansions that bash gives up on."""

from __future__ import annotations

from lint.text import Span


class Placed(Exception):
    """Something that bash gives up on. `span` is the innermost expansion that it is in, where there is one."""

    span: Span | None = None
    reported = False
    """Bash complains of it by `report_error`: under `set -e` the shell ends, in conditions too."""
    keeps_status = False
    """The shell that ends so keeps its exit status, if that is one of an error."""

    def place(self, span: Span) -> None:
        """Note an expansion around it, unless one within that is noted already."""
        self.span = self.span or span


class Fatal(Placed):
    """An expansion that bash gives up on: the script ends (`ends`), or the rest of the line is not run."""

    def __init__(self, message: str, ends: bool = False, status: int = 1) -> None:
        super().__init__(message)
        self.ends = ends
        self.status = status


class Reported(Fatal):
    """An expansion that cannot be made."""

    reported = True


class Rejected(Reported):
    """A name or subscript that cannot be, or a variable that cannot be set."""

    keeps_status = True


class BadSubstitution(Reported):
    """An expansion that cannot be parsed, which the parser has told of."""


class NoMatch(Reported):
    """A pattern that matches no file, under `failglob`: bash looks for files once all words are expanded."""


def fatal(fault: Placed) -> Fatal:
    """The same fault where it makes bash give up the expansion that it is in."""
    made = (Rejected if fault.keeps_status else Reported if fault.reported else Fatal)(str(fault))
    made.span = fault.span
    return made


class TooLong(RecursionError):
    """Work that would take too long. Like what is nested too deep, it ends the command, and that is said."""
