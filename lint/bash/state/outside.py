"""What a shell finds that no script sets: variables that its launchers give it, the environment of another machine."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping

from lint.bash.reading import Origin, Text, Unknown
from lint.bash.unknown import DIGITS
from lint.frozen import frozen
from lint.text import Span


@frozen
class Outside:
    """`given`: patterns of names with "number" or "text", and the launcher that may set them. `place`: the launcher
    that started the shell on another machine or file system, of whose environment nothing is known. `ran`: what was
    run in this shell that is not known, and may have set any variable.
    """

    given: tuple[tuple[Mapping[str, str], str], ...] = ()
    place: str = ""
    ran: str = ""

    def value(self, name: str, span: Span) -> Text | None:
        """A variable that a launcher sets; None if it is not known to set one of that name."""
        found = self._setter(name)
        if found is None:
            return None
        form, launcher = found
        reason = f"value of ${name}, which {launcher} sets"
        characters = DIGITS if form == "number" else ""
        return Text((Unknown(reason, Origin(span, "environment", name), characters=characters),))

    def gives(self, name: str) -> bool:
        """Whether a launcher may have set a variable."""
        return self._setter(name) is not None

    def elsewhere(self, name: str, span: Span, known: Container[str]) -> Text | None:
        """A variable that the shell may have found on another machine, or that was set by what is not known; None if
        it was started on this one, and all is known that it ran.

        `known`: those that scripts set or unset. To be asked only where a script does not say what it takes instead
        (`${name:-text}`): as for variables of its caller, that is then what is read.
        """
        if not (self.place or self.ran) or name in known or not name.isidentifier():
            return None
        where = f"where {self.place} starts this" if self.place else f"after {self.ran}"
        reason = f"value of ${name} {where}"
        return Text((Unknown(reason, Origin(span, "environment", name)),))

    def _setter(self, name: str) -> tuple[str, str] | None:
        """The form of a variable that a launcher sets, and the launcher."""
        for patterns, launcher in reversed(self.given):
            for pattern, form in patterns.items():
                if re.fullmatch(pattern, name, re.ASCII):
                    return form, launcher
        return None


INSIDE = Outside()
