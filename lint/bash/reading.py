"""What reading a script yields: its external commands, with the origin of every character, and what stayed unread.

An `Origin` is one step of the chain that leads from a place of use back to the text that decides a value:

    gen_tp=8                                   kind "literal", no sources
    ${gen_tp}                                  kind "expansion", name "gen_tp", sources: the literal
    ${X:-8}                                    kind "default", name "X", sources: the literal 8
    $((1024 * 20))                             kind "arithmetic", sources: the origins of its operands
    "${ROLLOUT[@]}"                            kind "expansion", name "ROLLOUT", sources: the element's origin
    an environment variable given by --env     kind "environment", name, span of the use
    a variable that nothing sets               kind "unset", name, span of the use; its text is empty
    $(basename ...) computed by the reader     kind "substitution", sources: what it was computed from
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal as Choice
from typing import TypeAlias

from lint.frozen import frozen
from lint.text import Span

BRIEF = 400  # characters of a text in the reason of another one

OriginKind = Choice[
    "literal", "expansion", "default", "arithmetic", "environment", "unset", "substitution", "positional", "scenario"
]


@frozen
class Origin:
    """Where a piece of text comes from; `sources` are one step nearer to the deciding text.

    `steps` counts this one and all behind it. Sources are shared, so that a walk over them may pass one often: whoever
    derives an origin keeps the number small (`lint.bash.origins`).
    """

    span: Span
    kind: OriginKind
    name: str | None = None
    sources: tuple[Origin, ...] = ()
    steps: int = 1

    @property
    def from_outside(self) -> bool:
        """True where no text of a script decides: `--env`, a scenario, an argument. Only the uses have a place."""
        return self.span.start == self.span.end and self.kind in ("environment", "scenario", "positional")


@frozen
class Known:
    """Text whose value is certain."""

    text: str
    origin: Origin


@frozen
class Unknown:
    """Text that only a run could tell. `reason` reads after "unknown:", for example "output of `date`"."""

    reason: str
    origin: Origin
    splits: bool = False  # unquoted: it may become any number of words
    characters: str = ""  # if there are any: it is spelled with these alone, and is not empty


Piece: TypeAlias = "Known | Unknown"


@frozen
class Text:
    """An expanded word: pieces side by side. Empty tuple: the empty string."""

    pieces: tuple[Piece, ...]
    _joined: str | None = field(default=None, init=False, compare=False, repr=False)  # once somebody has asked

    @property
    def value(self) -> str | None:
        """The whole text if every piece is known, else None."""
        if self._joined is None:
            joined = ""
            for piece in self.pieces:
                if isinstance(piece, Unknown):
                    return None
                joined += piece.text
            object.__setattr__(self, "_joined", joined)
        return self._joined

    @property
    def size(self) -> int:
        """How many characters of it are known."""
        size = 0
        for piece in self.pieces:
            if isinstance(piece, Known):
                size += len(piece.text)
        return size

    @property
    def shown(self) -> str:
        """The text with `<unknown: reason>` in place of every unknown piece."""
        value = self._joined if self._joined is not None else self.value
        if value is not None:
            return value
        return "".join(p.text if isinstance(p, Known) else f"<unknown: {p.reason}>" for p in self.pieces)

    @property
    def brief(self) -> str:
        """`shown` for the reason of another unknown value: reasons within reasons do not grow without end."""
        shown = self.shown
        return shown if len(shown) <= BRIEF else f"{shown[: BRIEF - 3]}..."

    def slice(self, start: int, end: int | None = None) -> Text:
        """The part of this text between two offsets into `shown`; an unknown piece is kept whole or left out."""
        if len(self.pieces) == 1 and isinstance(self.pieces[0], Known):  # most texts by far
            only = self.pieces[0]
            part = only.text[start:end]
            return Text((Known(part, only.origin),)) if part or (not only.text and start == 0) else Text(())
        pieces: list[Piece] = []
        offset = 0
        for piece in self.pieces:
            size = len(piece.text) if isinstance(piece, Known) else len(f"<unknown: {piece.reason}>")
            low, high = max(start, offset), offset + size if end is None else min(end, offset + size)
            if low < high or (size == 0 and start <= offset and (end is None or offset <= end)):
                if isinstance(piece, Known):
                    pieces.append(Known(piece.text[low - offset : high - offset], piece.origin))
                else:
                    pieces.append(piece)
            offset += size
        return Text(tuple(pieces))


@frozen
class OutputRedirection:
    """Where a command writes: `operator` and the expanded target (a path, or a descriptor number for `>&`)."""

    operator: str
    descriptor: int | None
    target: Text
    span: Span


@frozen
class RunCommand:
    """One external command as bash would start it: not a builtin, not a function of the script.

    `words` is argv. `environment` holds what the script exports at that point and the command's own assignments
    (names given by `--env` that the script never touches are left out). `scenario` names the conditions under which
    it runs: toggles as `{"DEVICE": "npu"}`, undecided tests as `{"line 12: [ -f x ]": "true"}`.
    """

    span: Span  # of the command in its file
    words: tuple[Text, ...]
    word_spans: tuple[Span, ...]  # per word of argv: the source word it was expanded from, at the command
    environment: Mapping[str, Text]
    scenario: Mapping[str, str]
    redirections: tuple[OutputRedirection, ...] = ()
    piped_into: str | None = None  # name of the next command of its pipeline
    pipefail: bool = False  # `set -o pipefail` is on
    errexit: bool = False
    nounset: bool = False
    background: bool = False
    directory: str | None = None  # relative to the start folder, or absolute; None: unknown
    called_from: tuple[Span, ...] = ()  # function calls and `source` lines that led here, outermost first
    guards: Mapping[str, str] = field(default_factory=dict)  # like `scenario`, where the script ends otherwise
    decided: Mapping[str, str] = field(default_factory=dict)  # toggles whose default only a run can tell, as read here
    contents: Mapping[int, Text] = field(default_factory=dict)  # of files with variables that words of argv name
    starter: RunCommand | None = None  # the command whose shell starts this one: `bash -c`, `ssh`, `sbatch`, ...

    @property
    def conditions(self) -> Mapping[str, str]:
        """What holds on the way to it that may be otherwise."""
        left = {name: value for name, value in self.decided.items() if self.guards.get(name) != value}
        return {**left, **self.scenario}

    @property
    def outermost(self) -> RunCommand:
        """The command of the script itself that leads to this one."""
        command = self
        while command.starter is not None:
            command = command.starter
        return command


GIVES_UP = "bash gives up here: "
"""How the reason begins where bash itself refuses what it comes to."""


@frozen
class Unchecked:
    """A place that was not read (or not wholly), and why: syntax error, budget reached, unknown `source`, ..."""

    span: Span
    reason: str


SET = "<set>"
"""The value of a variable in a scenario that only says that the caller sets it, to something that is not empty."""


@frozen
class Toggle:
    """An environment variable, read with a default, or set by nobody (the default is empty then), and then compared:
    its compared literals are its other values, or `SET` where the test asks for more than one literal."""

    name: str
    default: str
    values: tuple[str, ...]
    span: Span


@frozen
class Required:
    """A variable that must be set by the caller: `${X:?}` or an unset use under `set -u` ends the script at `span`."""

    name: str
    span: Span
    message: str


@frozen
class Reading:
    """Everything that reading one script under one scenario yields, in the order in which bash would run it."""

    path: str
    scenario: Mapping[str, str]
    commands: tuple[RunCommand, ...]
    unchecked: tuple[Unchecked, ...]
    toggles: tuple[Toggle, ...]
    required: tuple[Required, ...]
    files: tuple[str, ...]  # every file that was read: the script, sourced and started scripts
    exit_status: int | None = None  # None: unknown
    whole: Mapping[Span, bool] = field(default_factory=dict)  # unquoted expansion -> always as if it were quoted
    ends: tuple[Span, ...] = ()  # empty spans at the commands with which the script may end before its last line
    steps: int = 0  # of the budget that it took
    forks: int = 0  # conditions that only a run could decide, read both ways
