"""Word expansion in bash's order: braces, tilde, parameters, substitutions and arithmetic, splitting, file names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from lint.bash.budget import CHARACTERS_A_STEP, PARTS_A_STEP, TEXT, WORDS, Budget
from lint.bash.faults import BadSubstitution, NoMatch, Placed, fatal
from lint.bash.files import FileReader
from lint.bash.origins import derive
from lint.bash.reading import Known, Origin, Piece, Text, Unknown
from lint.bash.state.guards import numbers_in
from lint.bash.state.state import State, Unit
from lint.bash.state.variables import Scope, number_text, resolve
from lint.bash.syntax import (
    Arithmetic,
    CommandSubstitution,
    DoubleQuoted,
    Parameter,
    Part,
    ProcessSubstitution,
    Quoted,
    Unreadable,
    Word,
)
from lint.bash.words import lists, parameters, pattern, straight
from lint.bash.words.arithmetic import TOO_LONG, Number, evaluate
from lint.bash.words.arithmetic_tokens import ArithmeticFault
from lint.bash.words.assembling import Assembler, plain
from lint.bash.words.braces import TooMany, expand_braces, has_braces
from lint.bash.words.file_names import file_names
from lint.bash.words.fragments import (
    Fragment,
    escaped,
    marked,
    text_of,
    without_nulls,
)
from lint.bash.words.hidden_braces import expand_hidden_braces, has_hidden_braces
from lint.bash.words.manner import ARGUMENT, DOCUMENT, ELEMENT, QUOTED, TESTED, UNSPLIT, Manner
from lint.bash.words.parameter_values import Found, Notes
from lint.bash.words.splitting import cut
from lint.bash.words.subscripts import EXPANDED, once_expanded, reference
from lint.bash.words.tildes import expand_tildes
from lint.regular import regular
from lint.text import Span


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


_TEXT_IN_QUOTES = regular(r"""\$?'.|\\[^$`"\\\n]""", re.DOTALL)
_CONDITIONAL = frozenset(("-", ":-", "=", ":=", "?", ":?", "+", ":+"))


@dataclass(slots=True)
class Expander(Assembler):
    """Expands words of the tree in a state, which expansion may change (`$((i++))`, `${x:=d}`)."""

    shell: Shell

    # ------------------------------------------------------------------------------------------------- words

    def words(self, state: State, words: Sequence[Word]) -> tuple[list[Text], list[Span]]:
        """The fields of some words, and for each field the span of its word."""
        texts: list[Text] = []
        spans: list[Span] = []
        missing: NoMatch | None = None
        for word in words:
            try:
                fields = self.fields(state, word)
            except NoMatch as fault:
                missing = missing or fault
                continue
            texts.extend(fields)
            if fields:
                span = state.unit.span(word.start, word.end)
                spans.extend([span] * len(fields))
        if missing is not None:
            raise missing
        return texts, spans

    def fields(self, state: State, word: Word, element: bool = False) -> list[Text]:
        """The fields that a word becomes: none, one or many. `element`: of an array literal."""
        parts = word.parts
        straight_field = straight.field(state, word, self.whole)
        if straight_field is not None:
            return [straight_field]
        if len(parts) == 1:
            only = parts[0]
            if type(only) is Quoted:
                return [Text(plain(state, only))]
            if type(only) is DoubleQuoted and len(only.parts) == 1:
                elements = parameters.elements_of(self, state, only.parts[0])
                if elements is not None:
                    return elements
        try:
            alternatives = self.alternatives(state, word)
        except TooMany:
            span = state.unit.span(word.start, word.end)
            self.shell.budget.report(span, f"brace expansion into more than {WORDS} words")
            unknown = Unknown("brace expansion too long to read", Origin(span, "literal"), splits=True)
            return [Text((unknown,))]
        texts: list[Text] = []
        missing: NoMatch | None = None
        for alternative in alternatives:
            try:
                texts.extend(self.split(state, alternative, element or len(alternatives) > 1 or alternative != parts))
            except NoMatch as fault:
                missing = missing or fault
        if missing is not None:
            raise missing
        return texts

    def split(self, state: State, parts: Sequence[Part], element: bool) -> list[Text]:
        """The fields that the parts of a word become once braces are expanded. `element`: no tilde behind `name=`."""
        texts: list[Text] = []
        expansion = self.expand(state, expand_tildes(state, parts, names=not element), ARGUMENT)
        ifs = self.ifs(state)
        count = 0
        for part in expansion.parts:
            found = cut(part.fragments, "" if part.quoted else ifs.text, part.quoted)
            count += len(part.fragments) + len(found)
            for each in found or ([part] if part.saw_null else []):
                pieces = [(fragment[0], fragment[1]) for fragment in each.fragments if fragment is not None]
                text = self.read_in_time(state, Text(tuple([piece for piece, _ in pieces])), parts)
                texts.extend(file_names(state, pieces, self.shell.files) if text is None else [text])
        self.shell.budget.steps -= count // PARTS_A_STEP
        return texts

    def read_in_time(self, state: State, text: Text, parts: Sequence[Part]) -> Text | None:
        """What stands for a text that is too long to read, if it is: that is said. Its characters are counted."""
        size = text.size
        self.shell.budget.steps -= size // CHARACTERS_A_STEP
        if size <= TEXT:
            return None
        span = state.unit.span(parts[0].start, parts[-1].end)
        self.shell.budget.report(span, f"a value of more than {TEXT} characters")
        return Text((Unknown("value too long to read", Origin(span, "expansion")),))

    def alternatives(self, state: State, word: Word) -> list[tuple[Part, ...]]:
        """What brace expansion makes of a word, each as its parts; the word itself without braces. Raises TooMany."""
        if "braceexpand" not in state.options:
            return [word.parts]
        text = state.unit.source.text
        if has_hidden_braces(word, text):
            found = expand_hidden_braces(text, word, WORDS, "extglob" in state.shell_options)
        elif has_braces(word.parts):
            found = expand_braces(word.parts, WORDS)
        else:
            return [word.parts]
        self.shell.budget.steps -= sum(map(len, found)) // PARTS_A_STEP
        return found

    def text(self, state: State, word: Word, manner: Manner = TESTED) -> Text:
        """The text of a word where bash does not split: assignments, `case`, `[[ ]]`, redirections, here-strings."""
        straight_line = straight.line(state, word)
        joins = not manner.whole
        if straight_line is None:
            state.joins = state.joins or joins
            found = text_of(self.one_line(state, word.parts, manner))
            found = self.read_in_time(state, found, word.parts) or found
        else:
            found = straight_line
        if joins:
            state.joins = False
        self.shell.budget.steps -= len(found.pieces) // PARTS_A_STEP  # a value that grows in every line
        return found

    def subject(self, state: State, word: Word) -> Text:
        """The text that a `case` compares: bash leaves its mark for an empty word that stands beside others."""
        ifs = self.ifs(state)
        state.joins = True
        found = text_of(marked(self.line(state, word.parts, UNSPLIT if ifs.given and not ifs.text else TESTED)))
        state.joins = False
        return found

    def line(self, state: State, parts: Sequence[Part], manner: Manner, tilde: bool = True) -> list[Fragment]:
        """The fragments of a word that is not split: should a list take it apart, spaces put it together again."""
        element = manner is ELEMENT
        inside = expand_tildes(state, parts, manner.assigned or element, subscripted=element) if tilde else parts
        expansion = self.expand(state, inside, manner)
        found = expansion.parts
        if not found:
            return expansion.rest
        if len(found) == 1:
            return found[0].fragments
        return lists.side_by_side([part.fragments for part in found], " ", Span("", 0, 0))

    def one_line(self, state: State, parts: Sequence[Part], manner: Manner) -> list[Fragment]:
        """The same without the marks of empty quotes."""
        return without_nulls(self.line(state, parts, manner))

    def joined(self, state: State, parts: Sequence[Part], manner: Manner, tilde: bool = True) -> list[Fragment]:
        """The same in an expansion around: `$*` is joined in it, and behind it as before."""
        before, state.joins = state.joins, True
        found = without_nulls(self.line(state, parts, manner, tilde))
        state.joins = before
        return found

    def case_pattern(self, state: State, word: Word) -> Text:
        """A pattern of `case`: the first word of what it becomes."""
        ifs = self.ifs(state)
        manner = UNSPLIT if ifs.given and not ifs.text else TESTED
        state.joins = True
        expansion = self.expand(state, expand_tildes(state, word.parts), manner)
        fragments = expansion.parts[0].fragments if expansion.parts else []
        state.joins = False
        return escaped(marked(fragments), pattern.escape)

    def pattern(self, state: State, word: Word, manner: Manner = TESTED, tilde: bool = True) -> Text:
        """A word as a pattern: what was quoted in it is escaped."""
        found = escaped(self.joined(state, word.parts, manner, tilde), pattern.escape)
        state.joins = state.joins and manner is not TESTED
        return found

    def regex(self, state: State, word: Word) -> Text:
        """A word as a regular expression: what was quoted in it is escaped."""
        found = escaped(self.joined(state, word.parts, TESTED), _escape_regex)
        state.joins = False
        return found

    def document(self, state: State, parts: Sequence[Part]) -> Text:
        """The body of a here-document."""
        return text_of(self.one_line(state, parts, DOCUMENT))

    def key(self, state: State, word: Word) -> Text:
        """A key of an associative array, or a value between the parentheses of one: without tilde expansion."""
        before, state.joins = state.joins, True
        expansion = self.expand(state, word.parts, TESTED)
        state.joins = before
        found = [part.fragments for part in expansion.parts] or [expansion.rest]
        return text_of(lists.side_by_side(found, " ", Span("", 0, 0)))

    def index(self, state: State, word: Word) -> Text:
        """The expression in a subscript of an array."""
        parts = _as_in_quotes(state.unit.source.text, word.parts)
        if len(parts) == 1 and isinstance(parts[0], Quoted):  # as in most expressions
            return Text(plain(state, parts[0]))
        return text_of(self.one_line(state, parts, QUOTED))

    def subscript(self, state: State, name: str, text: str, span: Span) -> Text:
        """A subscript in a text that an expression, a test or a builtin takes for a name: it is expanded again."""
        origin = Origin(span, "literal")
        source, word = reference(name, text) if EXPANDED.search(text) else (None, None)
        if source is None or word is None:
            return Text((Known(text, origin),))
        variable = state.variables.get(resolve(state, name)[0])
        before = state.unit
        state.unit = Unit(source, (Known(source.text, origin),), counted=False)
        try:
            is_key = variable is not None and variable.kind == "associative"
            return self.key(state, word) if is_key else self.index(state, word)
        finally:
            state.unit = before

    def arithmetic(self, state: State, word: Word) -> Number:
        """The value of an expression. Raises ArithmeticFault."""
        return self.arithmetic_text(state, word)[0]

    def arithmetic_text(self, state: State, word: Word) -> tuple[Number, tuple[Origin, ...]]:
        """The value of an expression and the origins of its operands. Raises ArithmeticFault."""
        expression = once_expanded(self.index(state, word))
        scope = Scope(state, state.unit.span(word.start, word.end), self.subscript)
        counts = [piece for piece in expression.pieces if piece.origin.name == "#"]
        if counts:
            texts = [piece.text for piece in expression.pieces if isinstance(piece, Known) and piece not in counts]
            self.shell.compared(state, Text(tuple(counts)), numbers_in(texts))
        value = evaluate(expression, scope)
        if isinstance(value, Unknown) and value.reason == TOO_LONG:
            self.shell.budget.report(scope.span, TOO_LONG)
        return value, (*(piece.origin for piece in expression.pieces[:16]), *scope.origins)

    def found(self, state: State, node: Parameter, manner: Manner, notes: Notes) -> Found:
        """What a parameter expansion yields."""
        try:
            return parameters.expand(self, state, node, manner, notes)
        except Placed as fault:
            fault.place(state.unit.span(node.start, node.end))
            raise

    def other(self, state: State, part: Part) -> Sequence[Piece]:
        """A substitution: at least one piece, whose text may be empty."""
        span = state.unit.span(part.start, part.end)
        if isinstance(part, Arithmetic):
            try:
                value, origins = self.arithmetic_text(state, part.expression)
            except ArithmeticFault as fault:
                fault.place(span)
                raise fatal(fault) from None
            except Placed as fault:
                fault.place(span)
                raise
            return number_text(value, derive(span, "arithmetic", None, origins)).pieces
        if isinstance(part, CommandSubstitution):
            return _pieces(self.shell.substitute(state, part), span)
        if isinstance(part, ProcessSubstitution):
            return self.shell.connect(state, part).pieces
        message = part.message if isinstance(part, Unreadable) else "not read"
        if message.startswith("bad substitution"):
            raise BadSubstitution(message)
        return (Unknown(message, Origin(span, "literal")),)

    # ----------------------------------------------------------------------------------------- tilde and names


def _as_in_quotes(text: str, parts: Sequence[Part]) -> list[Part]:
    """The parts of a subscript, in which single quotes and most backslashes are text, as in double quotes."""
    found: list[Part] = []
    for part in parts:
        if isinstance(part, Quoted) and _TEXT_IN_QUOTES.match(text, part.start, part.end):
            part = Quoted(part.start, part.end, text[part.start : part.end])
        elif isinstance(part, Parameter) and part.operand is not None and part.operator in _CONDITIONAL:
            operand = part.operand
            part = replace(part, operand=Word(operand.start, operand.end, tuple(_as_in_quotes(text, operand.parts))))
        found.append(part)
    return found


def _escape_regex(text: str) -> str:
    return re.sub(r"[\\^$.|?*+(){}\[\]]", r"\\\g<0>", text)


def _pieces(text: Text, span: Span) -> Sequence[Piece]:
    """The pieces of a substitution: one if all are known."""
    value = text.value
    if len(text.pieces) == 1 or (
        value is None and sum(len(piece.text) for piece in text.pieces if isinstance(piece, Known)) <= TEXT
    ):
        return text.pieces
    sources = tuple(piece.origin for piece in text.pieces[:16])
    origin = derive(span, "substitution", None, sources)
    if value is None:
        return (Unknown("output too long to read", origin),)
    return (Known(value, origin) if len(value) <= TEXT else Unknown("output too long to read", origin),)
