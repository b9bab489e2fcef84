"""Word expansion in bash's order: braces, tilde, parameters, substitutions and arithmetic, splitting, file names."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from lint.bash import lists, parameters, pattern, written
from lint.bash.arithmetic import ArithmeticFault, Number, evaluate
from lint.bash.braces import TooMany, expand_braces, has_braces
from lint.bash.budget import TEXT, WORDS, Budget
from lint.bash.faults import Fatal
from lint.bash.files import FileReader
from lint.bash.guards import numbers_in
from lint.bash.hidden_braces import expand_hidden_braces, has_hidden_braces
from lint.bash.manner import ARGUMENT, DOCUMENT, QUOTED, TESTED, UNSPLIT, Manner, inside_quotes
from lint.bash.origins import derive, wrap
from lint.bash.reading import Known, Origin, Piece, Text, Unknown
from lint.bash.special import place
from lint.bash.splitting import (
    DEFAULT_IFS,
    Field,
    Fragment,
    Separators,
    cut,
    is_null,
    is_visible,
    quoted_again,
    without_nulls,
)
from lint.bash.splitting import Part as SplitPart
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
_UNGUARDED = re.compile(r"([:=~<>'\"\[])")  # what bash leaves unquoted in the word of a quoted `${name-word}`
_TILDE_AND_COLON = re.compile(r"~[+-]?:")
_AT_SPACES = re.compile(r" |[^ ]+")
_QUOTES = (Quoted, DoubleQuoted)
UNSET_IFS = Separators(DEFAULT_IFS, False)
NULL_MARK = "\x7f"  # what bash keeps for empty quotes
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
class Expansion:
    """What the parts of a word became."""

    parts: list[SplitPart]
    lists: bool  # it holds a list that is split whatever IFS is
    rest: list[Fragment]  # empty pieces of an expansion that yielded nothing, for their origins


@dataclass(slots=True)
class Expander:
    """Expands words of the tree in a state, which expansion may change (`$((i++))`, `${x:=d}`)."""

    shell: Shell
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

    def fields(self, state: State, word: Word, element: bool = False) -> list[Text]:
        """The fields that a word becomes: none, one or many. `element`: of an array literal."""
        parts = word.parts
        if len(parts) == 1:
            only = parts[0]
            if type(only) is Quoted or (type(only) is Literal and not _ACTIVE.search(only.text)):
                return [Text(plain(state, only))]
            if type(only) is DoubleQuoted and len(only.parts) == 1:
                elements = parameters.elements_of(self, state, only.parts[0])
                if elements is not None:
                    return elements
        text = state.unit.source.text
        hidden = has_hidden_braces(parts, text, word)
        if "braceexpand" in state.options and (hidden or has_braces(parts)):
            try:
                if hidden:
                    extglob = "extglob" in state.shell_options
                    alternatives = expand_hidden_braces(text, word, WORDS, extglob)
                else:
                    alternatives = expand_braces(parts, WORDS)
            except TooMany:
                span = state.unit.span(word.start, word.end)
                self.shell.budget.report(span, f"brace expansion into more than {WORDS} words")
                unknown = Unknown("brace expansion too long to read", Origin(span, "literal"), splits=True)
                return [Text((unknown,))]
        else:
            alternatives = [parts]
        texts: list[Text] = []
        for alternative in alternatives:
            plain_tilde = element or len(alternatives) > 1 or alternative != parts
            expansion = self.expand(state, self.tilde(state, alternative, element=plain_tilde), ARGUMENT)
            ifs = self.ifs(state)
            for part in expansion.parts:
                found = cut(part.fragments, "" if part.quoted else ifs.text, part.quoted)
                for each in found or ([part] if part.saw_null else []):
                    pieces = [(fragment[0], fragment[1]) for fragment in each.fragments if fragment is not None]
                    texts.extend(self.file_names(state, pieces))
        return texts

    def text(self, state: State, word: Word, manner: Manner = TESTED) -> Text:
        """The text of a word where bash does not split: assignments, `case`, `[[ ]]`, redirections, here-strings."""
        parts = word.parts
        if len(parts) == 1:
            only = parts[0]
            if type(only) is Quoted or (type(only) is Literal and "~" not in only.text):
                return Text(plain(state, only))
        return text_of(self.one_line(state, parts, manner))

    def subject(self, state: State, word: Word) -> Text:
        """The text that a `case` compares: bash leaves its mark for an empty word that stands beside others."""
        ifs = self.ifs(state)
        return text_of(_marked(self.line(state, word.parts, UNSPLIT if ifs.given and not ifs.text else TESTED)))

    def line(self, state: State, parts: Sequence[Part], manner: Manner) -> list[Fragment]:
        """The fragments of a word that is not split: should a list take it apart, spaces put it together again."""
        expansion = self.expand(state, self.tilde(state, parts, manner.assigned), manner)
        found = expansion.parts
        if not found:
            return expansion.rest
        if len(found) == 1:
            return found[0].fragments
        return lists.side_by_side([part.fragments for part in found], " ", Span("", 0, 0))

    def one_line(self, state: State, parts: Sequence[Part], manner: Manner) -> list[Fragment]:
        """The same without the marks of empty quotes."""
        return without_nulls(self.line(state, parts, manner))

    def case_pattern(self, state: State, word: Word) -> Text:
        """A pattern of `case`: the first word of what it becomes."""
        ifs = self.ifs(state)
        manner = UNSPLIT if ifs.given and not ifs.text else TESTED
        expansion = self.expand(state, self.tilde(state, word.parts), manner)
        fragments = expansion.parts[0].fragments if expansion.parts else []
        return _escaped(_marked(fragments), pattern.escape)

    def pattern(self, state: State, word: Word, manner: Manner = TESTED) -> Text:
        """A word as a pattern: what was quoted in it is escaped."""
        return _escaped(self.one_line(state, word.parts, manner), pattern.escape)

    def regex(self, state: State, word: Word) -> Text:
        """A word as a regular expression: what was quoted in it is escaped."""
        return _escaped(self.one_line(state, word.parts, TESTED), _escape_regex)

    def document(self, state: State, parts: Sequence[Part]) -> Text:
        """The body of a here-document."""
        return text_of(self.one_line(state, parts, DOCUMENT))

    def key(self, state: State, word: Word) -> Text:
        """A key of an associative array, or a value between the parentheses of one: without tilde expansion."""
        expansion = self.expand(state, word.parts, TESTED)
        found = [part.fragments for part in expansion.parts] or [expansion.rest]
        return text_of(lists.side_by_side(found, " ", Span("", 0, 0)))

    def index(self, state: State, word: Word) -> Text:
        """The expression in a subscript of an array."""
        text = state.unit.source.text
        parts: list[Part] = []
        for part in word.parts:  # single quotes are text here, as in double quotes
            quoted = isinstance(part, Quoted) and text.startswith("'", part.start) and part.end - part.start > 1
            parts.append(Quoted(part.start, part.end, text[part.start : part.end]) if quoted else part)
        return text_of(self.one_line(state, parts, QUOTED))

    def arithmetic(self, state: State, word: Word) -> Number:
        """The value of an expression. Raises ArithmeticFault."""
        return self.arithmetic_text(state, word)[0]

    def arithmetic_text(self, state: State, word: Word) -> tuple[Number, tuple[Origin, ...]]:
        """The value of an expression and the origins of its operands. Raises ArithmeticFault."""
        expression = self.index(state, word)
        scope = Scope(state, state.unit.span(word.start, word.end))
        counts = [piece for piece in expression.pieces if piece.origin.name == "#"]
        if counts:
            texts = [piece.text for piece in expression.pieces if isinstance(piece, Known) and piece not in counts]
            self.shell.compared(state, Text(tuple(counts)), numbers_in(texts))
        value = evaluate(expression, scope)
        return value, (*(piece.origin for piece in expression.pieces[:16]), *scope.origins)

    def ifs(self, state: State) -> Separators:
        """The characters that separate fields."""
        value = state.variables.get("IFS")
        if value is None:
            return UNSET_IFS
        text = value.scalar()
        known = text.value if text is not None else None
        return UNSET_IFS if known is None else Separators(known, True)

    # ------------------------------------------------------------------------------------------------- parts

    def expand(self, state: State, parts: Sequence[Part], manner: Manner) -> Expansion:
        """What the parts of a word become, before they are split by IFS (`expand_word_internal` of bash)."""
        notes = parameters.Notes()
        found: list[Fragment] = []
        if manner.quoted and manner.operand:
            parts = _without_quotes(parts)
        alone = len(parts) == 1
        watched = manner is ARGUMENT
        for part in parts:
            kind = type(part)
            if kind is Literal:
                self.literal(state, part, found, manner, notes)  # type: ignore[arg-type]
            elif kind is Parameter:
                fragments = self.parameter(state, part, manner, notes)  # type: ignore[arg-type]
                if watched:
                    self.note_whole(state, part, fragments)
                found.extend(fragments)
            elif isinstance(part, Quoted):
                if manner.quoted and manner.nested and _UNGUARDED.search(part.text):
                    found.extend(_partly_guarded(plain(state, part)))
                    continue
                found.extend([(piece, True, False) for piece in plain(state, part)])
                if not part.text and not manner.quoted:
                    self.empty_quotes(found, manner, notes, alone, single=True)
            elif isinstance(part, DoubleQuoted):
                self.double_quoted(state, part, found, manner, notes, alone)
            else:
                splits = isinstance(part, Arithmetic) or (not manner.quoted and self.ifs(state).text != "")
                fragment: Fragment = (self.other(state, part), manner.quoted, splits)
                if watched:
                    self.note_whole(state, part, [fragment])
                found.append(fragment)
        partly = not alone and any(isinstance(part, _QUOTES) for part in parts)
        return self.finished(state, found, manner, notes, partly, quoted=alone and isinstance(parts[0], _QUOTES))

    def literal(
        self, state: State, part: Literal, found: list[Fragment], manner: Manner, notes: parameters.Notes
    ) -> None:
        """Plain text of the source: split only with a word around it, or where a list in a single word is."""
        pieces = plain(state, part)
        if manner.quoted:
            found.extend([(piece, True, False) for piece in pieces])
        elif not manner.nested and not manner.single:
            found.extend([(piece, False, type(piece) is not Known) for piece in pieces])
        elif " " not in part.text or not (notes.spaces or not manner.operand or not self.ifs(state).text):
            found.extend([(piece, False, True) for piece in pieces])
        else:
            for piece in pieces:
                texts = _AT_SPACES.findall(piece.text) if isinstance(piece, Known) else []
                found.extend((Known(text, piece.origin), text == " ", text != " ") for text in texts)
                if isinstance(piece, Unknown):
                    found.append((piece, False, True))

    def parameter(self, state: State, node: Parameter, manner: Manner, notes: parameters.Notes) -> list[Fragment]:
        """What a parameter expansion adds to its word."""
        name = node.name
        if not node.operator and node.subscript is None and not node.length and not node.indirect:
            value = state.variables.get(name)
            if value is not None and type(value.content) is Text and not value.reference and node.names is None:
                text = wrap(value.content, state.unit.span(node.start, node.end), "expansion", name)
                return lists.value(text, manner, self.ifs(state))
        result = parameters.expand(self, state, node, manner, notes)
        notes.lists += result.lists
        notes.reported = notes.lists > 0
        notes.spaces = notes.spaces or result.spaces
        notes.null = notes.null or result.null
        fragments = result.fragments
        if fragments is None:
            return []
        if notes.null and None in fragments and is_null(fragments):
            return without_nulls(fragments)
        return fragments

    def double_quoted(
        self,
        state: State,
        part: DoubleQuoted,
        found: list[Fragment],
        manner: Manner,
        notes: parameters.Notes,
        alone: bool,
    ) -> None:
        """`"..."`: one field, unless it holds `$@`; with an empty `$@` and nothing else, no field at all."""
        if not part.parts:
            notes.null = True
            found.append((Known("", Origin(state.unit.span(part.start, part.end), "literal")), True, False))
            self.empty_quotes(found, manner, notes, alone)
            return
        inner = self.expand(state, part.parts, inside_quotes(manner))
        inside = inner.parts
        if not inside:
            found.extend(inner.rest)
            if inner.lists:
                notes.quoted_lists += 1
                notes.lists += 1
            else:
                self.empty_quotes(found, manner, notes, alone)
            return
        if len(inside) == 1 and inside[0].null:
            if notes.null and inner.lists:
                notes.quoted_lists += 1
            notes.null = True
        if inner.lists:
            notes.quoted_lists += 1
            notes.lists += 1
            notes.reported = True
        if len(inside) == 1:
            found.extend(quoted_again(inside[0].fragments))
            return
        ifs = self.ifs(state)
        separator = ifs.first if notes.quoted_lists and ifs.text else " "
        span = state.unit.span(part.start, part.end)
        found.extend(lists.side_by_side([quoted_again(each.fragments) for each in inside], separator, span))

    def empty_quotes(
        self, found: list[Fragment], manner: Manner, notes: parameters.Notes, alone: bool, single: bool = False
    ) -> None:
        """Quotes in which there is nothing: `''` if `single`, else `""`."""
        if alone:
            notes.null = notes.null or not single
            found.append(None)
            return
        notes.null = True
        if (manner.bare and manner.operand and not manner.whole and not manner.assigned) or (
            not manner.whole and not manner.single
        ):
            found.append(None)

    def finished(
        self, state: State, found: list[Fragment], manner: Manner, notes: parameters.Notes, partly: bool, quoted: bool
    ) -> Expansion:
        """The end of a word: it is taken apart if there is a list in it."""
        quoted = quoted or manner.quoted
        if not is_visible(found):
            if notes.null or (partly and not notes.quoted_lists):
                return Expansion([SplitPart([*found, None], quoted=manner.quoted, null=True)], notes.reported, [])
            return Expansion([], notes.reported, found)
        null = notes.null and is_null(found)
        if manner.whole:
            return Expansion([SplitPart(found, quoted=manner.quoted, null=null)], notes.reported, [])
        if manner.assigned:
            kept = found if is_null(found) else without_nulls(found)
            return Expansion([SplitPart(kept, quoted=quoted, null=null)], notes.reported, [])
        if notes.spaces:
            ifs = self.ifs(state)
            return Expansion(cut(found, " " if ifs.given else DEFAULT_IFS, quoted=True), notes.reported, [])
        if notes.lists:
            ifs = self.ifs(state)
            if not notes.quoted_lists and manner.bare and manner.single:
                if ifs.text and ifs.text[0] != " ":
                    parts = [part.fragments for part in cut(found, ifs.text, quoted=True)]
                    found = lists.side_by_side(parts, " ", Span("", 0, 0))
                return Expansion([SplitPart(found, quoted=quoted, null=null)], notes.reported, [])
            return Expansion(cut(found, ifs.text or " ", quoted=True), notes.reported, [])
        return Expansion([SplitPart(found, quoted=quoted, null=null, saw_null=notes.null and not null)], False, [])

    def note_whole(self, state: State, part: Part, fragments: Sequence[Fragment]) -> None:
        """Note whether an unquoted expansion is as if it were quoted: nothing for splitting or file names to act on."""
        span = state.unit.span(part.start, part.end)
        if self.whole.get(span, True):
            ifs = self.ifs(state).text if "IFS" in state.variables else ""
            pieces = [fragment[0] for fragment in fragments if fragment is not None]
            self.whole[span] = bool(pieces) and all(is_plain(piece, ifs) for piece in pieces)

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
        if message.startswith("bad substitution"):
            raise Fatal(message)
        return Unknown(message, Origin(span, "literal"))

    # ----------------------------------------------------------------------------------------- tilde and names

    def tilde(
        self, state: State, parts: Sequence[Part], assignment: bool = False, element: bool = False
    ) -> Sequence[Part]:
        """The parts with each `~` that stands for a directory replaced by a part that expands to it.

        Behind `name=` and `:` it does so in assignments, and in arguments that look like one, but not in an array
        (`element`), nor where braces were expanded.
        """
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
            if prefix is not None and not element:
                after_colon, begin = True, prefix.end()
            elif _TILDE_AND_COLON.match(first.text):
                return self.tilde_before_colon(state, parts)
        found: list[Part] = []
        for index, part in enumerate(parts):
            if not isinstance(part, Literal):
                found.append(part)
                continue
            places = [begin] if index == 0 else []
            if after_colon:
                places += [i + 1 for i, c in enumerate(part.text) if c == ":" and i + 1 > begin]
            found.extend(_cut_tildes(part, places, index == len(parts) - 1, "/:" if after_colon else "/"))
        return found

    def tilde_before_colon(self, state: State, parts: Sequence[Part]) -> Sequence[Part]:
        """`~:$x/y` where nothing is assigned: bash takes all before the slash for a name, and expands but its start."""
        found: list[Part] = []
        for index, part in enumerate(parts):
            if isinstance(part, _QUOTES):
                return parts
            slash = part.text.find("/") if isinstance(part, Literal) else -1
            text = state.unit.source.text[part.start : part.end] if slash < 0 else part.text[:slash]  # type: ignore[union-attr]
            start = part.start
            if index == 0:
                size = text.index(":")
                found.append(Parameter(start, start + size, text[:size]))
                text, start = text[size:], start + size
            found.append(Quoted(start, start + len(text), text))
            if slash >= 0:
                rest = part.text[slash:]  # type: ignore[union-attr]
                return [*found, Literal(part.end - len(rest), part.end, rest), *parts[index + 1 :]]
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
        place = posixpath.join(state.directory, folder)
        names = self.shell.files.names(place)
        if names is None:
            return True
        names = {*names, *written.names(state, place)}
        hidden = component.startswith((".", "\\.")) or "dotglob" in state.shell_options
        return any(pattern.matches(name, component, extglob) for name in names if hidden or not name.startswith("."))


def plain(state: State, part: Literal | Quoted) -> tuple[Piece, ...]:
    """Plain text of the source; in a text that is partly known, with pieces that are not."""
    pieces = state.unit.plain(part.start, part.end, part.text)
    if state.unit.pieces:
        splits = isinstance(part, Literal)
        return tuple(p if isinstance(p, Known) or p.splits == splits else replace(p, splits=splits) for p in pieces)
    return pieces


def text_of(fragments: Sequence[Fragment]) -> Text:
    """The text of fragments."""
    return Text(tuple([fragment[0] for fragment in fragments if fragment is not None]))


def _escaped(fragments: Sequence[Fragment], escape: parameters.Escape) -> Text:
    pieces: list[Piece] = []
    for fragment in fragments:
        if fragment is not None:
            piece, quoted, _ = fragment
            pieces.append(Known(escape(piece.text), piece.origin) if quoted and isinstance(piece, Known) else piece)
    return Text(tuple(pieces))


def _marked(fragments: Sequence[Fragment]) -> Sequence[Fragment]:
    """The fragments of a word of `case`: there, bash leaves its mark for empty quotes that stand beside other text."""
    if None not in fragments or is_null(fragments):
        return fragments
    mark = Known(NULL_MARK, Origin(Span("", 0, 0), "expansion"))
    return [(mark, True, False) if fragment is None else fragment for fragment in fragments]


def _partly_guarded(pieces: Sequence[Piece]) -> Iterator[Fragment]:
    for piece in pieces:
        for text in _UNGUARDED.split(piece.text) if isinstance(piece, Known) else []:
            yield Known(text, piece.origin), True, _UNGUARDED.match(text) is not None
        if isinstance(piece, Unknown):
            yield piece, True, False


def _escape_regex(text: str) -> str:
    return re.sub(r"[\\^$.|?*+(){}\[\]]", r"\\\g<0>", text)


def _without_quotes(parts: Sequence[Part]) -> Sequence[Part]:
    """The parts of an operand in double quotes: bash removes the double quotes inside before it expands."""
    if not any(isinstance(part, DoubleQuoted) for part in parts):
        return parts
    found: list[Part] = []
    for part in parts:
        found.extend(_without_quotes(part.parts) if isinstance(part, DoubleQuoted) else [part])
    return found


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


def _cut_tildes(part: Literal, places: Sequence[int], last: bool, ends: str) -> list[Part]:
    """A literal with its tilde prefixes turned into `Parameter` parts named `~`."""
    found: list[Part] = []
    begin = 0
    text = part.text
    for position in places:
        if text[position : position + 1] != "~":
            continue
        end = position + 1
        while end < len(text) and text[end] not in ends:
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
