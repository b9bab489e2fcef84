"""The state of one path through a script: what a bash process knows at one moment."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal as Choice
from typing import NamedTuple, TypeAlias

from lint.bash import syntax
from lint.bash.origins import derive, origins_of
from lint.bash.reading import Known, Origin, Piece, RunCommand, Text, Unknown
from lint.bash.state.entered import Entered
from lint.bash.state.log import Log
from lint.bash.state.outside import INSIDE, Outside
from lint.bash.state.ropes import Rope, same_rope
from lint.frozen import frozen
from lint.text import Source, Span

# ------------------------------------------------------------------------------------------------------ variables


ValueKind: TypeAlias = 'Choice["scalar", "indexed", "associative"]'
Case: TypeAlias = 'Choice["", "upper", "lower", "capital"]'


class Value(NamedTuple):
    """What a name stands for. `content` is a text, the elements of an array by index or key, or None (unset)."""

    content: Text | Mapping[int, Text] | Mapping[str, Text] | None
    kind: ValueKind = "scalar"
    exported: bool = False
    readonly: bool = False
    integer: bool = False
    case: Case = ""
    reference: bool = False
    inherited: bool = False  # from the environment, and untouched since

    def scalar(self) -> Text | None:
        """The text that `$name` gives: of an array, its element 0."""
        if isinstance(self.content, Text) or self.content is None:
            return self.content
        zero: Mapping[object, Text] = self.content  # type: ignore[assignment]
        return zero.get(0 if self.kind == "indexed" else "0")

    def holding(self, content: Text | Mapping[int, Text] | Mapping[str, Text], kind: ValueKind) -> Value:
        """The variable with what the script gives it."""
        return Value(content, kind, self.exported, self.readonly, self.integer, self.case, self.reference)

    def same(self, other: Value) -> bool:
        """Equal to bash: positions in the source do not count."""
        if self is other:
            return True
        mine, theirs = self.content, other.content
        if self[1:7] != other[1:7]:  # all but the content and `inherited`
            return False
        if isinstance(mine, Text) and isinstance(theirs, Text):
            return same_text(mine, theirs)
        if isinstance(mine, Text) or isinstance(theirs, Text) or mine is None or theirs is None:
            return mine is theirs
        if mine.keys() != theirs.keys():
            return False
        others: Mapping[object, Text] = theirs  # type: ignore[assignment]
        return all(same_text(text, others[key]) for key, text in mine.items())


def same_text(first: Text, second: Text) -> bool:
    """Whether two texts read the same, unknown parts for the same reason."""
    return first is second or first.shown == second.shown


# ---------------------------------------------------------------------------------------------------------- units

UNKNOWN_TEXT = "\ufffc"  # stands in the text of a unit where a piece of it is not known: a character like any other


@dataclass(frozen=True)
class Unit:
    """A text that is run: a script, or a string that `eval` or `bash -c` was given (then `pieces` says whence)."""

    source: Source
    pieces: tuple[Piece, ...] = ()
    first_line: int = 1  # the number of its first line, for LINENO
    name: Text | None = None  # of its file, as it was sourced or started; None: as the source is called
    aliases: Mapping[str, Text] = field(default_factory=dict)  # that it was parsed with
    extended: tuple[int, ...] = ()  # where it was parsed with extended patterns: see `Script`
    before: Unit | None = None  # the text before aliases were replaced in it
    places: tuple[int, ...] = ()  # where each piece, or what it replaces, begins in the text before
    counted: bool = True  # whether its lines have the numbers that LINENO has
    entered: int = 0  # the number that it has before the first command of a sourced file: that of the line around it
    starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts, offset = [], 0
        for piece in self.pieces:
            starts.append(offset)
            offset += len(piece.text) if isinstance(piece, Known) else len(UNKNOWN_TEXT)
        object.__setattr__(self, "starts", tuple(starts))

    @cached_property
    def asks_for_lines(self) -> bool:
        """Whether the number of a line is asked for anywhere in it."""
        return "LINENO" in self.source.text

    def is_extended(self, offset: int) -> bool:
        """Whether a line was parsed with extended patterns."""
        return bisect_right(self.extended, offset) % 2 == 1

    def place_before(self, offset: int) -> int:
        """The offset in the text before aliases were replaced."""
        index = max(0, bisect_right(self.starts, offset) - 1)
        following = self.places[index + 1 : index + 2] or (len(self.before.source.text) if self.before else 0,)
        return min(self.places[index] + offset - self.starts[index], max(self.places[index], following[0]))

    def line(self, offset: int) -> int:
        """The number of the line of an offset, as LINENO has it."""
        return self.first_line - 1 + self.source.line(offset) if offset >= 0 else self.entered

    def plain(self, start: int, end: int, text: str) -> tuple[Piece, ...]:
        """Plain text that stands at a range of this text, perhaps in quotes: each part of it with its origin."""
        if not self.pieces:
            return (Known(text, Origin(Span(self.source.path, start, end), "literal")),)
        place = start + (end - start - len(text)) // 2
        last = place + len(text)
        if not text or self.source.text[place:last] != text:  # escapes were taken out of it
            origin = Origin(self.span(start, end), "literal")
            hidden = UNKNOWN_TEXT in text and any(isinstance(piece, Unknown) for piece in self.pieces)
            return (Unknown("text that is partly known", origin) if hidden else Known(text, origin),)
        found: list[Piece] = []
        index = max(0, bisect_right(self.starts, place) - 1)
        while place < last:
            piece = self.pieces[index]
            index += 1
            stop = min(last, self.starts[index]) if index < len(self.pieces) else last
            if isinstance(piece, Unknown):
                found.append(piece)
            elif stop > place:
                exact = piece.origin.kind == "literal" and not piece.origin.sources
                origin = Origin(self.span(place, stop), "literal") if exact else piece.origin
                found.append(Known(self.source.text[place:stop], origin))
            place = stop
        return tuple(found)

    def span(self, start: int, end: int) -> Span:
        """Where a range of this text stands in a file."""
        start, end = max(0, start), max(0, end)
        if not self.pieces:
            return Span(self.source.path, start, end)
        index = max(0, bisect_right(self.starts, start) - 1)
        piece, offset = self.pieces[index], self.starts[index]
        root = piece.origin
        while root.sources:
            root = root.sources[0]
        surplus = root.span.end - root.span.start - len(piece.text) if isinstance(piece, Known) else -1
        if piece.origin.kind not in ("literal", "expansion", "default"):
            surplus = -1  # computed: its text stands nowhere
        if surplus in (0, 2):  # plain text, or text in quotes
            inside = root.span.start + surplus // 2 + start - offset
            return Span(root.span.path, inside, max(inside, min(root.span.end, inside + end - start)))
        return root.span


@dataclass(frozen=True, slots=True, eq=False)
class FunctionBody:
    """A function: its tree and the text it stands in."""

    definition: syntax.Function
    unit: Unit
    traced: bool = False  # the traps DEBUG and RETURN hold in it (`declare -ft`)
    exported: bool = False  # shells that are started have it, too (`export -f`)
    readonly: bool = False


@dataclass(slots=True)
class Frame:
    """One function call: what `local` names stood for outside."""

    shadowed: dict[str, Value | None] = field(default_factory=dict)
    options: frozenset[str] | None = None  # those of `set`, if `local -` kept them for the end of the call

    def copy(self) -> Frame:
        return Frame(dict(self.shadowed), self.options)


@frozen
class Flow:
    """Why the commands that follow are not run. `count` is the number of loops for break and continue."""

    kind: Choice["break", "continue", "return", "exit", "discard"]
    count: int = 1
    before: Status | None = None  # of `return`: the exit status before it, which a RETURN trap sees
    forced: bool = False  # an expansion ended the shell: `set -u`, `${name?}`


EMPTY = Text(())
Status: TypeAlias = "int | Unknown"  # Unknown: an ExitStatus as a rule


@frozen
class File:
    """A file that the script wrote, changed or removed (see `lint.bash.state.written`).

    `exists` None: it was removed, or not made on every way. `known` False: nobody knows what it holds. `ways`: what it
    is after each way. `size` counts the pieces of its content.
    """

    content: Rope = None
    size: int = 0
    exists: Choice[True] | None = True
    known: bool = True
    folder: bool = False
    executable: bool = False
    ways: tuple[tuple[Mapping[str, str], File], ...] = ()


@dataclass(slots=True)
class State:
    """Everything that a subshell would inherit, and the log of the commands run so far on this path."""

    unit: Unit
    script_name: Text
    variables: dict[str, Value] = field(default_factory=dict)
    functions: dict[str, FunctionBody] = field(default_factory=dict)
    frames: list[Frame] = field(default_factory=list)
    positional: tuple[Text, ...] = ()
    options: frozenset[str] = frozenset()
    shell_options: frozenset[str] = frozenset()
    directory: str | None = "."
    previous_directory: str | None = None
    directory_stack: tuple[str | None, ...] = ()
    traps: Mapping[str, Text] = field(default_factory=dict)
    status: Status = 0
    pipe_status: tuple[Status, ...] = (0,)
    last_argument: Text = EMPTY
    flow: Flow | None = None
    log: Log = None
    conditions: Mapping[str, str] = field(default_factory=dict)
    guards: Mapping[str, str] = field(default_factory=dict)
    decided: Mapping[str, str] = field(default_factory=dict)  # toggles whose default only a run can tell
    descriptors: dict[int, int] = field(default_factory=dict)  # number -> stream; absent: the terminal
    outputs: dict[int, Rope] = field(default_factory=dict)  # stream -> what was written to it
    inputs: dict[int, Text | None] = field(default_factory=dict)  # stream -> what is left to read; None: unknown
    option_index: tuple[int, int] = (1, 0)  # of getopts: OPTIND as it left it, offset in a group of letters
    called_from: tuple[Span, ...] = ()
    loops: int = 0
    subshell: int = 0  # how many processes are around this one
    level: int = 0  # BASH_SUBSHELL, which does not count all of them
    waiting: int | None = None  # this process runs one command, which will count so much in `level`; None: it has begun
    calls: tuple[Entered, ...] = ()  # the functions and sourced files that run, outermost first
    background: bool = False
    tested: bool = False  # the command that runs is part of a condition: `set -e` does not count
    background_started: bool = False
    offset: int = 0  # of the command that runs, in the unit
    piped_into: str | None = None
    exported: Mapping[str, Text] = field(default_factory=dict)  # assignments before the command that runs
    starter: RunCommand | None = None  # the command that this shell was started by
    files: Mapping[str, File] = field(default_factory=dict)  # that the script wrote, changed or removed
    opened: Mapping[int, str] = field(default_factory=dict)  # stream -> the file that it goes to
    sources: Mapping[int, str] = field(default_factory=dict)  # stream -> the file that is read through it
    aliases: Mapping[str, Text] = field(default_factory=dict)
    trapped: frozenset[str] = frozenset()  # the traps that run right now
    unnamed: str = ""  # tells working directories apart that are not known
    broken_off: bool = False  # the last function ended by an error that discarded the line: FUNCNAME is left behind
    lenient: bool = False  # a text or `command` in a condition runs: `set -e` counts in none of it, whatever it sets
    joins: bool = False  # a word that is not split is expanded: `$*` is joined (expand_no_split_dollar_star)
    outside: Outside = INSIDE  # what this shell finds that no script sets
    doubted: State | None = None  # the way on which an expansion of the command that runs is an error: a run can tell
    disabled: frozenset[str] = frozenset()  # the builtins that `enable -n` switched off
    work: int = 0  # parts of values that were looked at one by one, and that the budget does not know of yet

    def copy(self) -> State:
        """An independent state with the same content."""
        return State(
            self.unit,
            self.script_name,
            dict(self.variables),
            dict(self.functions),
            [frame.copy() for frame in self.frames],
            self.positional,
            self.options,
            self.shell_options,
            self.directory,
            self.previous_directory,
            self.directory_stack,
            self.traps,
            self.status,
            self.pipe_status,
            self.last_argument,
            self.flow,
            self.log,
            self.conditions,
            self.guards,
            self.decided,
            dict(self.descriptors),
            dict(self.outputs),
            dict(self.inputs),
            self.option_index,
            self.called_from,
            self.loops,
            self.subshell,
            self.level,
            self.waiting,
            self.calls,
            self.background,
            self.tested,
            self.background_started,
            self.offset,
            self.piped_into,
            self.exported,
            self.starter,
            self.files,
            self.opened,
            self.sources,
            self.aliases,
            self.trapped,
            self.unnamed,
            self.broken_off,
            self.lenient,
            self.joins,
            self.outside,
            disabled=self.disabled,
        )

    @property
    def exits(self) -> bool:
        """Whether `exit` ends the process from within: what is around it does not come to its own end."""
        return self.flow is not None and self.flow.kind == "exit"

    def doubt(self, flow: Flow) -> None:
        """Note that an expansion may be an error, with which this flow begins: only a run can tell."""
        if self.doubted is None:
            self.doubted = replace(self.copy(), flow=flow)

    def targets(self) -> Mapping[int, int | str]:
        """Where each descriptor leads: a stream or a file."""
        return {number: self.opened.get(stream, stream) for number, stream in self.descriptors.items()}

    def same(self, other: State) -> bool:
        """Whether both states go on alike: log, conditions, exit status and files do not count."""
        return self.same_but_written(other) and all(
            same_rope(rope, other.outputs[key]) for key, rope in self.outputs.items()
        )

    def same_but_written(self, other: State) -> bool:
        """Whether both states go on alike, if nobody reads what they wrote."""
        return (
            self.flow == other.flow
            and self.options == other.options
            and (self.aliases is other.aliases or self.aliases == other.aliases)
            and self.shell_options == other.shell_options
            and self.disabled == other.disabled
            and self.directory == other.directory
            and self.directory_stack == other.directory_stack
            and self.functions == other.functions
            and self.option_index == other.option_index
            and self.loops == other.loops
            and len(self.frames) == len(other.frames)
            and self.targets() == other.targets()
            and self.outputs.keys() == other.outputs.keys()
            and _same_texts(self.positional, other.positional)
            and self.traps.keys() == other.traps.keys()
            and all(same_text(text, other.traps[name]) for name, text in self.traps.items())
            and _same_variables(self.variables, other.variables)
            and self.inputs.keys() == other.inputs.keys()
            and all(_same_input(text, other.inputs[key]) for key, text in self.inputs.items())
        )


def _same_texts(first: tuple[Text, ...], second: tuple[Text, ...]) -> bool:
    return first is second or (len(first) == len(second) and all(map(same_text, first, second)))


def _same_input(first: Text | None, second: Text | None) -> bool:
    if first is None or second is None:
        return first is second
    return same_text(first, second)


def _same_variables(first: dict[str, Value], second: dict[str, Value]) -> bool:
    """Whether all variables are the same; the newest are looked at first, as they differ most often."""
    if len(first) != len(second):
        return False
    for name in reversed(first):
        value, other = first[name], second.get(name)
        if other is not value and (other is None or not value.same(other)):
            return False
    return True


def literal(text: str, span: Span) -> Text:
    """A text that stands in the source as it is."""
    return Text((Known(text, Origin(span, "literal")),))


def computed(text: str, span: Span, sources: Iterable[Text | None] = ()) -> Text:
    """A text that the reader computed from others."""
    return Text((Known(text, derive(span, "substitution", None, origins_of(sources))),))
