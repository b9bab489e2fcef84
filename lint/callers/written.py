"""Text taken out of a YAML file, with the place of every character in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lint.callers.expressions import EXPRESSION
from lint.frozen import frozen

if TYPE_CHECKING:
    import yaml


@frozen
class Part:
    """A piece of text and where it comes from. `exact`: it stands there as it is, else it stands for something else."""

    text: str
    place: int  # offset in the file
    exact: bool


@frozen
class Written:
    """Text and the places of its parts."""

    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)

    def place(self, offset: int) -> int:
        """Where in the file the character at an offset of the text stands, or what it stands for begins."""
        starts = _starts(self.parts)
        index = max(0, bisect_right(starts, offset) - 1)
        if not self.parts:
            return 0
        part = self.parts[index]
        return part.place + (min(offset - starts[index], len(part.text)) if part.exact else 0)


def _starts(parts: Sequence[Part]) -> list[int]:
    """The offset in the text at which each part begins."""
    starts, total = [], 0
    for part in parts:
        starts.append(total)
        total += len(part.text)
    return starts


def written(file: str, node: yaml.ScalarNode) -> Written:
    """The value of a scalar with its places in the file: exact for block scalars and for one line as it stands there,
    else all of it is placed where the scalar begins."""
    start = node.start_mark.index
    if node.style == "|":
        block = Written(tuple(_lines(file, start, _indentation(node.value))))
        shown = block.text
        if shown.rstrip("\n") == node.value.rstrip("\n"):
            return block
    quoted = start + (node.style in ("'", '"'))
    exact = file.startswith(node.value, quoted)
    return Written((Part(node.value, quoted if exact else start, exact),))


def _indentation(text: str) -> int:
    """Of the first line that is not blank."""
    line = next((line for line in text.split("\n") if line.strip()), "")
    return len(line) - len(line.lstrip(" "))


def _lines(file: str, start: int, kept: int) -> list[Part]:
    """The lines of a block scalar whose header begins at `start`, without their indentation, of which the first line
    has kept some (`|2`). A line ends as YAML reads it."""
    parts: list[Part] = []
    depth = 0
    position = file.find("\n", start) + 1
    while 0 < position < len(file):
        end = file.find("\n", position)
        end = len(file) if end < 0 else end + 1
        line = file[position:end]
        if line.strip():
            indentation = len(line) - len(line.lstrip(" "))
            depth = depth or indentation - kept
            if indentation < depth or not depth:
                break
        line = f"{line[:-2]}\n" if line.endswith("\r\n") else line
        indented = min(depth, len(line) - 1)
        parts.append(Part(line[indented:], position + indented, True))
        position = end
    return parts


def replaced(text: Written, replace: Callable[[str], str]) -> Written:
    """The text with each `${{ expression }}` replaced by what `replace` makes of the expression."""
    parts: list[Part] = []
    for part in text.parts:
        end = 0
        for match in EXPRESSION.finditer(part.text):
            parts.append(_cut(part, end, match.start()))
            parts.append(Part(replace(match[1]), part.place + (match.start() if part.exact else 0), False))
            end = match.end()
        parts.append(_cut(part, end, len(part.text)))
    return Written(tuple(part for part in parts if part.text))


def _cut(part: Part, start: int, end: int) -> Part:
    return Part(part.text[start:end], part.place + (start if part.exact else 0), part.exact)
