"""Source text and positions in it.

Offsets count characters of the decoded text. Text is decoded as UTF-8 with surrogate escapes, so any byte sequence
survives the round trip unchanged and a fix leaves every other byte of a script as it was.
"""

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple


class Span(NamedTuple):
    """A half-open range of character offsets in one file. A tuple: it is made, compared and looked up most often."""

    path: str
    start: int
    end: int


@dataclass(frozen=True)
class Source:
    """One file as text. `path` is what messages show: relative to where the tool was started, or `-`."""

    path: str
    text: str

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """The offset of the first character of each line; found when somebody asks first."""
        starts = [0]
        position = self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        return tuple(starts)

    @classmethod
    def decode(cls, path: str, data: bytes) -> "Source":
        """The text of `data`; bytes that are not UTF-8 become surrogate escapes."""
        return cls(path, data.decode("utf-8", "surrogateescape"))

    def encode(self) -> bytes:
        """The bytes this text was decoded from."""
        return self.text.encode("utf-8", "surrogateescape")

    def line(self, offset: int) -> int:
        """The line of an offset, counted from 1."""
        return bisect_right(self.line_starts, offset)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1, the column in characters."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        """The text of a line, counted from 1, without its line end."""
        start = self.line_starts[line - 1]
        end = self.line_starts[line] - 1 if line < len(self.line_starts) else len(self.text)
        return self.text[start:end].removesuffix("\r")
