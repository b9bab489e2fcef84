"""The place in the text that every part of the parser shares: where it stands, and what it has noted so far."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from lint.bash.syntax import Comment, HereDocument, Statement, SyntaxProblem
from lint.frozen import frozen
from lint.regular import regular

MAXIMUM_DEPTH = 50
"""Constructs inside each other. One level takes up to nine Python frames, and Python's stack holds a thousand."""

MAXIMUM_ERRORS = 1000
MAXIMUM_SIZE = 500_000
"""Statements, words, parts of words and comments in one script: about ten megabytes of ordinary script."""
TOO_MANY_ERRORS = "too many errors: the rest is not read"

_BLANKS = regular(r"[ \t]*(?:\\\n[ \t]*)*")
CONTINUATION = "\\\n"
_KEYWORDS = (
    *("if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "in", "select"),
    *("function", "time", "coproc", "[[", "]]"),
)
_CUT_WORD = "|".join(
    rf"{re.escape(word[:size])}\\\n(?={re.escape(word[size:])})" for word in _KEYWORDS for size in range(1, len(word))
)
_CUT = regular(
    rf"(?:{_CUT_WORD})|[0-9]*[;&|<>]+\\\n[;&|<>(-]|\(\\\n[()]|[0-9]+\\\n[<>]|[A-Za-z_]\w*\+\\\n=|[=!]\\\n[=~]", re.ASCII
)
_GLUED = regular(r"\\\n(?=[^ \t\n])(?<=[^ \t\n\\]\\\n)")
_COMMENT = regular(r"#[^\n]*")
_LINES = regular(r"[ \t\n]*(?:\\\n[ \t\n]*)*")
END_OF_WORD = r"(?=[ \t\n;&|()<>]|\\\n[ \t]|\Z)"
"""What may stand behind a keyword; a continuation ends it only if a blank follows."""


def is_glued(text: str) -> bool:
    """Whether a line continuation stands between two characters that could belong together."""
    return _GLUED.search(text) is not None


def behind(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Where the match of a pattern at the position ends."""
    match = pattern.match(text, position)
    return match.end() if match is not None else position


class Unclosed(Exception):
    """The text ended inside a construct that was opened at `opening`.

    `inner` are the offsets of the statements (or array elements) read inside it: places where it may have ended.
    """

    def __init__(self, opening: int, opener: str, closer: str, inner: tuple[int, ...] = ()) -> None:
        super().__init__(opening, opener, closer)
        self.opening = opening
        self.opener = opener
        self.closer = closer
        self.inner = inner


class Cut(Exception):
    """A keyword or an operator is cut by the line continuation at `position`, which bash does not see."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


class GivenUp(Exception):
    """The text from the position on is not read: it is nested too deeply, is too large, or has too many errors."""


class Suspect(NamedTuple):
    """A construct that was closed, but perhaps by what opens or closes another one."""

    kind: str  # "quote" or "block"
    opening: int
    opener: str
    closer: str
    end: int  # where it may have been meant to end


@frozen
class Closing:
    """A decision of the recovery: the construct opened at some offset counts as closed at `end`."""

    end: int
    problem: SyntaxProblem


@dataclass(slots=True)
class PendingDocument:
    """A here-document whose redirection was read, and whose body begins after the next line end."""

    document: HereDocument
    delimiter: str
    quoted: bool
    strip_tabs: bool
    inside_substitution: bool


@frozen
class Mark:
    """How far the parser was: `Cursor.back_to` forgets everything noted since."""

    position: int
    depth: int
    substitutions: int
    expected: int
    errors: int
    comments: int
    suspects: int
    decided_end: int
    pending: tuple[PendingDocument, ...]
    extglob: tuple[bool, bool | None]


@dataclass
class Cursor:
    """`text` from `position` on is unread."""

    text: str
    position: int = 0
    depth: int = 0
    size: int = 0
    extglob: bool = False
    extglob_later: bool | None = None
    """What a `shopt` makes of it on the lines behind the statement."""
    extended: list[int] = field(default_factory=list)
    """Offsets of the lines where `extglob` changed."""
    may_be_cut: bool = False
    """Whether line continuations in keywords and operators are looked for."""
    balances: bool = True
    """Whether `$((` that is no command is read as bash does: but once, however deep they are nested."""
    in_here_document: bool = False
    in_quoted_substitution: bool = False
    """Inside `"...$(...)..."`."""
    closings: dict[int, Closing] = field(default_factory=dict)
    """Decisions of the recovery, by the offset of the opener."""
    decided_end: int = -1
    """Where the construct read last ended by decision."""
    errors: list[SyntaxProblem] = field(default_factory=list)
    sound: tuple[Statement, ...] | None = None
    """What bash runs before it stops at the first of them."""
    comments: list[Comment] = field(default_factory=list)
    pending: list[PendingDocument] = field(default_factory=list)
    expected: list[frozenset[str]] = field(default_factory=list)
    """The tokens that may end each open list of statements, outermost first."""
    substitutions: list[int] = field(default_factory=list)
    """Offsets of the open substitutions and `${`, outermost first."""
    not_arithmetic: set[int] = field(default_factory=set)
    """Offsets of `((` that turned out to be two parentheses."""
    suspects: list[Suspect] = field(default_factory=list)

    def mark(self) -> Mark:
        return Mark(
            self.position,
            self.depth,
            len(self.substitutions),
            len(self.expected),
            len(self.errors),
            len(self.comments),
            len(self.suspects),
            self.decided_end,
            tuple(self.pending),
            (self.extglob, self.extglob_later),
        )

    def back_to(self, mark: Mark) -> None:
        self.position = mark.position
        self.depth = mark.depth
        self.decided_end = mark.decided_end
        del self.substitutions[mark.substitutions :]
        del self.expected[mark.expected :]
        del self.errors[mark.errors :]
        del self.comments[mark.comments :]
        del self.suspects[mark.suspects :]
        self.pending[:] = mark.pending
        self.extglob, self.extglob_later = mark.extglob
        while self.extended and self.extended[-1] > mark.position:
            self.extended.pop()

    def take_decision(self, opening: int) -> None:
        """Notes the error of a construct that the recovery closes here."""
        closing = self.closings[opening]
        self.errors.append(closing.problem)
        self.decided_end = self.position

    def enter(self) -> None:
        """One level deeper; the caller counts `depth` down again when it leaves."""
        self.depth += 1
        if self.depth > MAXIMUM_DEPTH:
            raise GivenUp(f"nested more than {MAXIMUM_DEPTH} deep: the rest is not read")

    def grow(self, count: int) -> None:
        """Counts nodes of the tree."""
        self.size += count
        if self.size > MAXIMUM_SIZE:
            raise GivenUp(f"more than {MAXIMUM_SIZE:,} words: the rest is not read")

    def report(self, start: int, end: int, message: str) -> None:
        if len(self.errors) >= MAXIMUM_ERRORS:
            raise GivenUp(TOO_MANY_ERRORS)
        self.errors.append(SyntaxProblem(start, end, message))

    def skip_blanks(self, blanks: re.Pattern[str] = _BLANKS) -> None:
        """Skips blanks and line continuations."""
        text = self.text
        match = blanks.match(text, self.position)
        assert match is not None
        self.position = position = match.end()
        if self.may_be_cut and (match := _CUT.match(text, position)):
            raise Cut(text.index(CONTINUATION, position, match.end()))

    def skip_lines(self) -> None:
        """Skips blanks, continuations, comments and line ends; after a line end come the bodies of here-documents."""
        text = self.text
        while True:
            self.skip_blanks(_BLANKS if self.pending else _LINES)
            character = text[self.position : self.position + 1]
            if character == "\n":
                self.position += 1
                self.read_here_documents()
            elif character == "#":
                self.skip_comment()
            else:
                return

    def skip_comment(self) -> None:
        """Records the comment at the position, which is a `#` at the start of a word."""
        match = _COMMENT.match(self.text, self.position)
        assert match is not None
        self.grow(1)
        self.comments.append(Comment(match.start(), match.end(), match.group()))
        self.position = match.end()

    def read_here_documents(self) -> None:
        """Reads the bodies of the pending here-documents; `HereDocumentParser` knows how."""
        raise NotImplementedError
