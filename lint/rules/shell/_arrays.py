"""Arrays of a script as it is written: how many overrides each holds, and what a launch expands through them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from lint.bash.syntax import ArrayLiteral, Assignment, DoubleQuoted, Literal, Parameter, Part, Quoted, Word
from lint.rules.shell._continuing import OVERRIDE
from lint.rules.shell._launching import places
from lint.subject.once import once
from lint.subject.subject import ScriptSubject

WHOLE = ("@", "*")


@once
def arrays(subject: ScriptSubject) -> Mapping[str, list[ArrayLiteral]]:
    """The `( ... )` that a script assigns to each name."""
    found: dict[str, list[ArrayLiteral]] = {}
    for assignment in subject.nodes.of(Assignment):
        if isinstance(assignment.value, ArrayLiteral):
            found.setdefault(assignment.name, []).append(assignment.value)
    return found


def overrides(array: ArrayLiteral, others: Mapping[str, list[ArrayLiteral]]) -> int:
    """How many overrides an array holds, those of the arrays that it expands among them."""
    own = [element.value for element in array.elements]
    inner = _through(_expanded(own), others)
    words = [*own, *(word for name in inner for word in _words(others.get(name, ())))]
    return sum(OVERRIDE.match(_beginning(word)) is not None for word in words)


def expansions(subject: ScriptSubject) -> Iterator[Parameter]:
    """The parameters that are arguments of a launch or part of one, also through an array that it is given."""
    words = [word for place in places(subject) for word in place.command.words if isinstance(word, Word)]
    for word in words:
        yield from _parameters(word)
    known = arrays(subject)
    for name in _through(_expanded(words), known):
        for word in _words(known.get(name, ())):
            yield from _parameters(word)


def _through(names: Iterable[str], known: Mapping[str, list[ArrayLiteral]]) -> dict[str, None]:
    """These arrays and all that they expand, each once."""
    found: dict[str, None] = {}
    left = list(names)
    while left:
        name = left.pop()
        if name not in found:
            found[name] = None
            left += _expanded(_words(known.get(name, ())))
    return found


def _words(literals: Iterable[ArrayLiteral]) -> Iterator[Word]:
    return (element.value for literal in literals for element in literal.elements)


def _expanded(words: Iterable[Word]) -> list[str]:
    """The arrays that words expand, each element to a word of its own."""
    return [one.name for word in words for one in _parameters(word) if one.subscript in WHOLE and not one.length]


def _parameters(word: Word) -> Iterator[Parameter]:
    for part in word.parts:
        if isinstance(part, Parameter):
            yield part
        elif isinstance(part, DoubleQuoted):
            yield from (inner for inner in part.parts if isinstance(inner, Parameter))


def _beginning(word: Word) -> str:
    """What a word begins with whatever is expanded, without its quotes."""
    text = ""
    for part in _parts(word):
        if not isinstance(part, (Literal, Quoted)):
            break
        text += part.text
    return text


def _parts(word: Word) -> Iterator[Part]:
    for part in word.parts:
        yield from part.parts if isinstance(part, DoubleQuoted) else (part,)
