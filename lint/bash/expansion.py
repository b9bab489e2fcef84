"""Word expansion in bash's order: braces, tilde, parameters, substitutions and arithmetic, splitting, file names."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from lint.bash import parameters, pattern
from lint.bash.arithmetic import ArithmeticFault, Number, evaluate
from lint.bash.braces import TooMany, expand_braces, has_braces
from lint.bash.budget import TEXT, WORDS, Budget
from lint.bash.faults import Fatal
from lint.bash.files import FileReader
from lint.bash.guards import numbers_in
from lint.bash.origins import derive
from lint.bash.reading import Known, Origin, Piece, Text, Unknown
from lint.bash.special import place
from lint.bash.splitting import DEFAULT_IFS, Field, Fragment, split
from lint.bash.state import State
from lint.bash.syntax import (
    Arithmetic,
    CommandSubstitution,
    DoubleQuoted,
    Literal,
    Parameter,
    Part,
    ProcessSubstitution,
    Quoted,
    Unreadable,
    Word,
)
from lint.bash.unknown import ExitStatus
from lint.bash.variables import Scope, number_text, scalar
from lint.text import Span

_ASSIGNMENT_PREFIX = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\[[^\]]*\])?\+?=", re.ASCII)
_ACTIVE = re.compile(r"[{~*?\[(]")
_PATTERN = re.compile(r"[*?\[(]")
_SPLIT_OR_GLOB = re.compile(r"[ \t\n*?\[\\]")
_GLOB = re.compile(r"[*?]|\[[^/]*\]|[@+!]\(")


# Variables of the machine whose values cannot hold a blank: numbers, and names that login(1) and POSIX restrict.
WORDS_OF_THE_MACHINE = frozenset(("HOME", "USER", "LOGNAME", "HOSTNAME", "UID", "EUID", "PPID", "RANDOM", "SECONDS"))


class Shell(Protocol):
    """What expansion asks of the evaluator."""

    budget: Budget
    files: FileReader

    def substitute(self, state: State, node: CommandSubstitution) -> Text:
        """The output of `$(...)`, without the newlines at its end."""

    def connect(self, state: State, node: ProcessSubstitution) -> Text:
        """The file name that `<(...)` stands for."""

    def compared(self, state: State, text: Text, values: Sequence[str]) -> None:
        """Note that a text was compared with literals."""

    def require(self, state: State, name: str, span: Span, message: str) -> None:
        """Note that the caller must set a variable."""


@dataclass(slots=True)
class Expander:
    """Expands words of the tree in a state, which expansion may change (`$((i++))`, `${x:=d}`)."""

    shell: Shell
    assigning: bool = False  # a value to assign is being expanded
    whole: dict[Span, bool] = field(default_factory=dict)  # unquoted expansion -> was never split and is no pattern

    # ------------------------------------------------------------------------------------------------- words

    def words(self, state: State, words: Sequence[Word]) -> tuple[list[Text], list[Span]]:
        """The fields of some words, and for each field the span of its word."""
        texts: list[Text] = []
        spans: list[Span] = []
        for word in words:
            fields = self.fields(state, word)
            texts.extend(fields)
            if fields:
                span = state.unit.span(word.start, word.end)
                spans.extend([span] * len(fields))
        return texts, spans

    def fields(self, state: State, word: Word) -> list[Text]:
        """The fields that a word becomes: none, one or many."""
        parts = word.parts
        if len(parts) == 1:
            only = parts[0]
            if type(only) is Quoted or (type(only) is Literal and not _ACTIVE.search(only.text)):
                return [Text(plain(state, only))]
        if "braceexpand" in state.options and has_braces(parts):
            try:
                alternatives = expand_braces(parts, WORDS)
            except TooMany:
                span = state.unit.span(word.start, word.end)
                self.shell.budget.report(span, f"brace expansion into more than {WORDS} words")
                unknown = Unknown("brace expansion too long to read", Origin(span, "literal"), splits=True)
                return [Text((unknown,))]
        else:
            alternatives = [parts]
        ifs = self.ifs(state)
        texts: list[Text] = []
        for alternative in alternatives:
            fragments = self.fragments(state, self.tilde(state, alternative), quoted=False, splitting=True)
            for pieces in split(fragments, ifs):
                texts.extend(self.file_names(state, pieces))
        return texts

    def text(self, state: State, word: Word, assignment: bool = False) -> Text:
        """The text of a word where bash does not split: assignments, `case`, `[[ ]]`, redirections, here-strings."""
        parts = word.parts
        if len(parts) == 1:
            only = parts[0]
            if type(only) is Quoted or (type(only) is Literal and "~" not in only.text):
                return Text(plain(state, only))
        outer, self.assigning = self.assigning, assignment
        fragments = self.fragments(state, self.tilde(state, parts, assignment), quoted=False, splitting=False)
        self.assigning = outer
        return self.joined(fragments)

    def joined(self, fragments: Sequence[Fragment]) -> Text:
        """Fragments side by side; the elements of `$@` with a space between them."""
        pieces: list[Piece] = []
        for fragment in fragments:
            if fragment is None:
                origin = pieces[-1].origin if pieces else Origin(Span("", 0, 0), "literal")
                pieces.append(Known(" ", origin))
            else:
                pieces.append(fragment[0])
        return Text(tuple(pieces))

    def pattern(self, state: State, word: Word) -> Text:
        """A word as a pattern: what was quoted in it is escaped."""
        return self._escaped(state, word, pattern.escape)

    def regex(self, state: State, word: Word) -> Text:
        """A word as a regular expression: what was quoted in it is escaped."""
        return self._escaped(state, word, lambda text: re.sub(r"[\\^$.|?*+(){}\[\]]", r"\\\g<0>", text))

    def _escaped(self, state: State, word: Word, escape: parameters.Escape) -> Text:
        fragments = self.fragments(state, self.tilde(state, word.parts), quoted=False, splitting=False)
        pieces: list[Piece] = []
        for fragment in fragments:
            if fragment is None:
                pieces.append(Known(" ", pieces[-1].origin))
                continue
            piece, quoted, _ = fragment
            if quoted and isinstance(piece, Known):
                piece = Known(escape(piece.text), piece.origin)
            pieces.append(piece)
        return Text(tuple(pieces))

    def document(self, state: State, parts: Sequence[Part]) -> Text:
        """The body of a here-document."""
        return self.joined(self.fragments(state, parts, quoted=True, splitting=False))

    def arithmetic(self, state: State, word: Word) -> Number:
        """The value of an expression. Raises ArithmeticFault."""
        return self.arithmetic_text(state, word)[0]

    def arithmetic_text(self, state: State, word: Word) -> tuple[Number, tuple[Origin, ...]]:
        """The value of an expression and the origins of its operands. Raises ArithmeticFault."""
        expression = self.joined(self.fragments(state, word.parts, quoted=True, splitting=False))
        scope = Scope(state, state.unit.span(word.start, word.end))
        counts = [piece for piece in expression.pieces if piece.origin.name == "#"]
        if counts:
            texts = [piece.text for piece in expression.pieces if isinstance(piece, Known) and piece not in counts]
            self.shell.compared(state, Text(tuple(counts)), numbers_in(texts))
        value = evaluate(expression, scope)
        return value, (*(piece.origin for piece in expression.pieces[:16]), *scope.origins)

    def ifs(self, state: State) -> str:
        """The characters that separate fields."""
        value = state.variables.get("IFS")
        if value is None or value.content is None:
            return DEFAULT_IFS
        text = value.scalar()
        known = text.value if text is not None else None
        return DEFAULT_IFS if known is None else known

    # ------------------------------------------------------------------------------------------------- parts

    def fragments(
        self, state: State, parts: Sequence[Part], quoted: bool, splitting: bool, operand: bool = False
    ) -> list[Fragment]:
        """What the parts of a word expand to. `operand`: plain text is split too, as in `${x:-a b}`."""
        found: list[Fragment] = []
        for part in parts:
            kind = type(part)
            if kind is Parameter:
                expanded = parameters.expand(self, state, part, quoted, splitting, operand)  # type: ignore[arg-type]
                if splitting and not quoted:
                    self.note_whole(state, part, expanded)
                found.extend(expanded)
            elif isinstance(part, Literal):
                for piece in plain(state, part):
                    found.append((piece, quoted, (operand and splitting) or isinstance(piece, Unknown)))
            elif isinstance(part, Quoted):
                found.extend((piece, True, False) for piece in plain(state, part))
            elif isinstance(part, DoubleQuoted):
                found.extend(self.double_quoted(state, part, splitting))
            else:
                other: Fragment = (self.other(state, part), quoted, True)
                if splitting and not quoted:
                    self.note_whole(state, part, [other])
                found.append(other)
        return found

    def note_whole(self, state: State, part: Part, fragments: Sequence[Fragment]) -> None:
        """Note whether an unquoted expansion is as if it were quoted: nothing for splitting or file names to act on."""
        span = state.unit.span(part.start, part.end)
        if self.whole.get(span, True):
            ifs = self.ifs(state) if "IFS" in state.variables else ""
            pieces = [fragment[0] for fragment in fragments if fragment is not None]
            self.whole[span] = bool(pieces) and all(is_plain(piece, ifs) for piece in pieces)

    def double_quoted(self, state: State, part: DoubleQuoted, splitting: bool) -> list[Fragment]:
        """`"..."`: one field, unless it holds `$@`; with an empty `$@` and nothing else, no field at all."""
        inside: list[Fragment] = []
        empty = True
        for fragment in self.fragments(state, part.parts, quoted=True, splitting=splitting):
            if fragment is None:
                empty = False
                inside.append(None)
                continue
            piece = fragment[0]
            empty = empty and isinstance(piece, Known) and not piece.text
            inside.append((piece, True, False))
        if not empty:
            return inside
        if any(parameters.is_all(p) for p in part.parts) and not any(
            parameters.count_of(self, state, p) for p in part.parts if parameters.is_all(p)
        ):
            return []
        if inside:
            return inside
        return [(Known("", Origin(state.unit.span(part.start, part.end), "literal")), True, False)]

    def other(self, state: State, part: Part) -> Piece:
        """A substitution as one piece (its text may be empty)."""
        span = state.unit.span(part.start, part.end)
        if isinstance(part, Arithmetic):
            try:
                value, origins = self.arithmetic_text(state, part.expression)
            except ArithmeticFault as fault:
                raise Fatal(str(fault)) from None
            return number_text(value, derive(span, "arithmetic", None, origins)).pieces[0]
        if isinstance(part, CommandSubstitution):
            return _one_piece(self.shell.substitute(state, part), span)
        if isinstance(part, ProcessSubstitution):
            return _one_piece(self.shell.connect(state, part), span)
        message = part.message if isinstance(part, Unreadable) else "not read"
        return Unknown(message, Origin(span, "literal"))

    # ----------------------------------------------------------------------------------------- tilde and names

    def tilde(self, state: State, parts: Sequence[Part], assignment: bool = False) -> Sequence[Part]:
        """The parts with each `~` that stands for a directory replaced by a part that expands to it."""
        for part in parts:
            if type(part) is Literal and "~" in part.text:
                break
        else:
            return parts
        first = parts[0]
        after_colon = assignment
        begin = 0
        if not assignment and isinstance(first, Literal):
            prefix = _ASSIGNMENT_PREFIX.match(first.text)
            if prefix is not None:
                after_colon, begin = True, prefix.end()
        found: list[Part] = []
        for index, part in enumerate(parts):
            if not isinstance(part, Literal):
                found.append(part)
                continue
            places = [begin] if index == 0 else []
            if after_colon:
                places += [i + 1 for i, c in enumerate(part.text) if c == ":" and i + 1 > begin]
            found.extend(_cut_tildes(part, places, last=index == len(parts) - 1))
        return found

    def home(self, state: State, name: str, span: Span) -> Text:
        """What `~name` stands for."""
        if name == "+":
            return scalar(state, "PWD", span) or place(state.directory, span, "PWD")
        if name == "-":
            return scalar(state, "OLDPWD", span) or Text((Known("~-", Origin(span, "literal")),))
        if name:
            return Text((Unknown(f"home directory of {name}", Origin(span, "environment")),))
        return scalar(state, "HOME", span) or Text((Unknown("home directory", Origin(span, "environment", "HOME")),))

    def file_names(self, state: State, field: Field) -> list[Text]:
        """The names that a field with an unquoted pattern matches; the field itself if nothing does."""
        for piece, quoted in field:
            if not quoted and isinstance(piece, Known) and _PATTERN.search(piece.text):
                break
        else:
            return [Text(tuple([piece for piece, _ in field]))]
        if "noglob" in state.options:
            return [Text(tuple([piece for piece, _ in field]))]
        text = Text(tuple(piece for piece, _ in field))
        extglob = "extglob" in state.shell_options
        escaped = "".join(
            (pattern.escape(p.text) if quoted else p.text) if isinstance(p, Known) else "\0" for p, quoted in field
        )
        matched = self.matched(state, escaped, extglob)
        if matched is False:
            if "failglob" in state.shell_options:
                raise Fatal(f"no match: {text.shown}")
            return [] if "nullglob" in state.shell_options else [text]
        origin = derive(text.pieces[0].origin.span, "expansion", None, tuple(p.origin for p in text.pieces[:8]))
        return [Text((Unknown(f"files that match `{text.shown}`", origin, splits=True),))]

    def matched(self, state: State, escaped: str, extglob: bool) -> bool:
        """Whether a pattern may match files; False only where none can."""
        components = escaped.split("/")
        index = next((i for i, part in enumerate(components) if pattern.has_pattern(part, extglob)), None)
        if index is None:
            return False
        component = components[index]
        if not pattern.has_pattern(component, extglob) or not _GLOB.search(component):
            return False
        before = re.split(r"[*?\[]", component, maxsplit=1)[0]
        if "=" in before or "=" in "/".join(components[:index]):
            return False  # no one names files like `key=[a,b]`
        folder = re.sub(r"\\(.)", r"\1", "/".join(components[:index]))
        if "\0" in folder or "\0" in component or state.directory is None:
            return True
        if folder == "" and index == 1:
            folder = "/"
        names = self.shell.files.names(posixpath.join(state.directory, folder))
        if names is None:
            return True
        hidden = component.startswith((".", "\\.")) or "dotglob" in state.shell_options
        return any(pattern.matches(name, component, extglob) for name in names if hidden or not name.startswith("."))


def plain(state: State, part: Literal | Quoted) -> tuple[Piece, ...]:
    """Plain text of the source; in a text that is partly known, with pieces that are not."""
    pieces = state.unit.plain(part.start, part.end, part.text)
    if state.unit.pieces:
        splits = isinstance(part, Literal)
        return tuple(p if isinstance(p, Known) or p.splits == splits else replace(p, splits=splits) for p in pieces)
    return pieces


def is_plain(piece: Piece, ifs: str) -> bool:
    """True for text that is there and is neither split nor a pattern, and for words that the machine sets."""
    if isinstance(piece, Unknown):
        return piece.origin.name in WORDS_OF_THE_MACHINE or isinstance(piece, ExitStatus)
    text = piece.text
    return bool(text) and not _SPLIT_OR_GLOB.search(text) and not (ifs and any(c in text for c in ifs))


def _one_piece(text: Text, span: Span) -> Piece:
    """The pieces of a substitution as one; unknown if one of them is."""
    if len(text.pieces) == 1:
        return text.pieces[0]
    for piece in text.pieces:
        if isinstance(piece, Unknown):
            return piece
    value = text.value or ""
    sources = tuple(piece.origin for piece in text.pieces[:16])
    return Known(value[:TEXT], derive(span, "substitution", None, sources))


def _cut_tildes(part: Literal, places: Sequence[int], last: bool) -> list[Part]:
    """A literal with its tilde prefixes turned into `Parameter` parts named `~`."""
    found: list[Part] = []
    begin = 0
    text = part.text
    for position in places:
        if text[position : position + 1] != "~":
            continue
        end = position + 1
        while end < len(text) and text[end] not in "/:":
            end += 1
        if end == len(text) and not last:
            continue  # a quoted or expanded part follows: no tilde prefix
        name = text[position + 1 : end]
        if not re.fullmatch(r"[A-Za-z0-9_.+-]*", name):
            continue
        if begin < position:
            found.append(Literal(part.start + begin, part.start + position, text[begin:position]))
        found.append(Parameter(part.start + position, part.start + end, "~" + name))
        begin = end
    if begin < len(text):
        found.append(Literal(part.start + begin, part.end, text[begin:]) if begin else part)
    return found
