"""Unknown values about which something is known: a directory relative to the start folder, a likely exit status."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lint.bash.reading import Known, Piece, Text, Unknown
from lint.frozen import frozen
from lint.regular import regular

USUALLY_SET = frozenset(("HOME", "USER", "LOGNAME", "PATH", "PWD", "SHELL", "HOSTNAME", "RANDOM", "SECONDS"))

DIGITS = "0123456789"
NUMBERS = DIGITS + "-"
PRINTABLE = "".join(map(chr, range(0x20, 0x7F)))
"""What a text is spelled with of which nothing is known but that it is not empty."""

HOME_OF = "home directory of"
"""How the reason begins for which the home of another user is not known."""

ELEMENT_OF = "element of"
"""How the reason begins for which an element at an unknown subscript is not known."""


def is_list(text: Text) -> bool:
    """Whether a text stands for words whose number is not known."""
    return any(isinstance(piece, Unknown) and piece.splits for piece in text.pieces)


@frozen
class Place(Unknown):
    """A path whose absolute name is unknown, but which is `path` relative to the start folder."""

    path: str = "."


@frozen
class ExitStatus(Unknown):
    """The exit status of a command that was not run. `likely` decides which way is read first; `assumed` (external
    commands): outside a condition the script is read on as if it had succeeded; `fails`: it is any number but 0."""

    characters: str = DIGITS
    likely: int = 0
    assumed: bool = False
    fails: bool = False


@frozen
class Choice(Unknown):
    """One of a few known texts: each with the conditions under which it is the one, the first path's first."""

    alternatives: tuple[tuple[Mapping[str, str], str], ...] = ()


@frozen
class Once(Unknown):
    """The output of one command substitution: the same text wherever `run` is the same."""

    run: int = 0


@frozen
class Pipe(Unknown):
    """The file name that `<(...)` stands for; `stream` is what can be read from it."""

    stream: int = 0


_OF_THE_MACHINE = regular(r"value of \$(HOME|USER|LOGNAME|HOSTNAME|PWD)")
"""Reasons why a text is not known that is one plain word on every machine, whatever it is spelled with."""
_NOT_PLAIN = regular(r"[\s*?\[\\]")
_GIVEN = regular(r"value of \$\w+|\w+ must be set by the caller|argument [0-9]+ of the script")


def is_one_word(piece: Unknown) -> bool:
    """Whether a text that is not known is one plain word wherever the script runs."""
    if piece.characters:
        return not _NOT_PLAIN.search(piece.characters)
    return isinstance(piece, Place) or bool(_OF_THE_MACHINE.fullmatch(piece.reason))


def may_be_empty(pieces: Iterable[Piece]) -> bool:
    """Whether what is not known of a text decides if there is any; what the caller gives is not empty."""
    return not any(
        piece.text
        if isinstance(piece, Known)
        else piece.characters or is_one_word(piece) or _GIVEN.fullmatch(piece.reason)
        for piece in pieces
    ) and any(isinstance(piece, Unknown) for piece in pieces)


def places_of_lists(elements: Mapping[int, Text]) -> list[int]:
    """The subscripts of what is not one element of an array, but any number of them."""
    return [
        place
        for place, text in elements.items()
        if any(isinstance(piece, Unknown) and piece.splits for piece in text.pieces)
    ]


def likely_text(text: Text) -> str:
    """The text that is most probable on a machine where nothing is set and every command succeeds silently."""
    parts = []
    for piece in text.pieces:
        if isinstance(piece, Known):
            parts.append(piece.text)
        elif isinstance(piece, ExitStatus):
            parts.append(str(piece.likely))
        elif isinstance(piece, Place):
            parts.append(piece.path)
        elif isinstance(piece, Choice):
            parts.append(piece.alternatives[0][1])
        elif piece.origin.name in ("BASH_VERSION", "BASH_VERSINFO"):
            parts.append("5")
        elif piece.origin.name in USUALLY_SET and piece.reason == f"value of ${piece.origin.name}":
            parts.append(str(piece.origin.name).lower())
        elif piece.reason.startswith("home directory"):
            parts.append("home")
    return "".join(parts)
