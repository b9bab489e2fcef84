"""`[[ ... ]]` and `[ ... ]`: true, false, or a status that only a run could tell."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from lint.bash.commands.decisions import Decision, TestFault, combined, compared, negated, undecided
from lint.bash.commands.single_tests import FILE_TESTS, NUMERIC, SingleTest
from lint.bash.files import FileReader
from lint.bash.numbers import whole
from lint.bash.origins import derive
from lint.bash.reading import Known, Origin, Text, Unknown
from lint.bash.state import written
from lint.bash.state.guards import GuardBook
from lint.bash.state.places import path_of
from lint.bash.state.ropes import rope_pieces
from lint.bash.state.state import File, State, Value
from lint.bash.state.variables import Scope, array, element, is_machine, resolve, scalar
from lint.bash.syntax import BinaryTest, LogicalTest, NotTest, TestExpression, UnaryTest
from lint.bash.unknown import ExitStatus, is_list, likely_text, may_be_empty
from lint.bash.words import partly_known, pattern, regex
from lint.bash.words.arithmetic import evaluate
from lint.bash.words.expansion import Expander
from lint.bash.words.parameter_values import may_be_unset
from lint.text import Span

LARGEST_COMPARED = 100_000


class Watcher(Protocol):
    """What tests ask of the evaluator."""

    files: FileReader
    file_looks: int
    guards: GuardBook

    def compared(self, state: State, text: Text, values: Sequence[str]) -> None:
        """Note that a text was compared with literals (it may come from a toggle)."""

    def tested(self, state: State, text: Text) -> None:
        """Note that a text was tested (it may come from a variable that only the caller sets)."""

    def asked(self, state: State, name: str, span: Span) -> None:
        """Note that a variable was tested by its name."""


@dataclass(slots=True)
class Conditions:
    """Evaluates tests in a state."""

    expander: Expander
    watcher: Watcher

    # --------------------------------------------------------------------------------------------- [[ ... ]]

    def double(self, state: State, node: TestExpression) -> Decision:
        """The value of a `[[ ]]` expression. Raises ArithmeticFault and TestFault."""
        if isinstance(node, NotTest):
            return negated(self.undisturbed(state, node.operand))
        if isinstance(node, LogicalTest):
            deciding = node.operator == "||"
            left = self.undisturbed(state, node.left) if deciding else self.double(state, node.left)
            if not isinstance(left, Unknown) and left == deciding:
                return deciding
            right = self.double(state, node.right)
            if not isinstance(right, Unknown) and (right == deciding or not isinstance(left, Unknown)):
                return right if right == deciding or not isinstance(left, Unknown) else left
            if isinstance(left, Unknown):
                return combined(left, right, deciding)
            return right
        span = state.unit.span(node.start, node.end)
        if isinstance(node, UnaryTest):
            return self.unary(state, node.operator, self.expander.text(state, node.operand), span)
        return self.double_binary(state, node, span)

    def undisturbed(self, state: State, node: TestExpression) -> Decision:
        """The value of an expression that is false where bash rejects it."""
        try:
            return self.double(state, node)
        except TestFault:
            return False

    def double_binary(self, state: State, node: BinaryTest, span: Span) -> Decision:
        left = self.expander.text(state, node.left)
        operator = node.operator
        if operator in NUMERIC:
            right = self.expander.text(state, node.right)
            scope = Scope(state, span, self.expander.subscript)
            self.watch_numbers(state, left, operator, right)
            return compared(operator, evaluate(left, scope), evaluate(right, scope), left, right, span)
        if operator == "=~":
            return self.regex(state, left, self.expander.regex(state, node.right), span)
        if operator in ("=", "==", "!="):
            shape = self.expander.pattern(state, node.right)
            return self.equal(state, left, shape, operator == "!=", span, patterns=True)
        return self.binary(state, left, operator, self.expander.text(state, node.right), span)

    def regex(self, state: State, text: Text, expression: Text, span: Span) -> Decision:
        value, shape = text.value, expression.value
        origin = derive(span, "expansion", "BASH_REMATCH", tuple(p.origin for p in text.pieces[:8]))
        if value is None or shape is None or len(value) > LARGEST_COMPARED:
            unknown = Text((Unknown("match of a text that is not known", origin, splits=True),))
            state.variables["BASH_REMATCH"] = Value({0: unknown}, kind="indexed")
            return undecided(f"whether {text.brief} matches", origin, False)
        state.work += len(value) >> 3
        try:
            match = regex.search(value, shape, "nocasematch" in state.shell_options)
        except regex.Invalid as fault:
            raise TestFault(str(fault)) from None
        except regex.Unsupported as reason:
            unknown = Text((Unknown(f"match of {reason}", origin, splits=True),))
            state.variables["BASH_REMATCH"] = Value({0: unknown}, kind="indexed")
            return undecided(f"regular expression {reason}", origin, False)
        elements: dict[int, Text] = {}
        if match is not None:
            for index, group in enumerate((match.text, *match.groups)):
                piece = Unknown("group of a match", origin) if group is None else Known(group, origin)
                elements[index] = Text((piece,))
        state.variables["BASH_REMATCH"] = Value(elements, kind="indexed")
        return match is not None

    # ------------------------------------------------------------------------------------------ [ ... ] and test

    def single(self, state: State, words: Sequence[Text], span: Span) -> Decision:
        """The value of `[` (without its `]`) or `test`. Raises TestFault."""
        for word in words:
            if any(isinstance(piece, Unknown) and piece.splits for piece in word.pieces):
                return self.single_split(state, words, span)
        return SingleTest(self, state, words, span).value()

    def single_split(self, state: State, words: Sequence[Text], span: Span) -> Decision:
        """A test in which an unquoted text is unknown: it may be no word, one, or several."""
        origin = derive(span, "expansion", None, tuple(p.origin for w in words for p in w.pieces)[:8])
        likely = False
        try:
            kept = [word for word in words if any(isinstance(p, Known) for p in word.pieces) or likely_text(word)]
            decision = SingleTest(self, state, [_as_likely(word) for word in kept], span).value()
            likely = decision.likely == 0 if isinstance(decision, ExitStatus) else decision is True
        except TestFault:
            pass
        return undecided("a test of a value that is not known", origin, likely)

    # ------------------------------------------------------------------------------------------------- primaries

    def unary(self, state: State, operator: str, text: Text, span: Span) -> Decision:
        """`-f word`, `-z word`, ..."""
        value = text.value
        origin = derive(span, "expansion", None, tuple(piece.origin for piece in text.pieces[:8]))
        if operator in ("-z", "-n"):
            if value is not None:
                if value == "":
                    self.watcher.guards.note_empty(text)
                    self.watcher.tested(state, text)
                return (value == "") == (operator == "-z")
            if partly_known.matches(text, "?*") is True:
                return operator == "-n"
            return undecided(f"{operator} {text.brief}", origin, (likely_text(text) == "") == (operator == "-z"))
        if operator in FILE_TESTS:
            return self.file(state, operator, text, origin)
        if operator == "-v" and value is not None:
            return self.is_set(state, value, span)
        if operator == "-o" and value is not None:
            return value in state.options
        if operator == "-R" and value is not None:
            found = state.variables.get(value)
            return found is not None and found.reference
        return undecided(f"{operator} {text.brief}", origin, False)

    def file(self, state: State, operator: str, text: Text, origin: Origin) -> Decision:
        value = text.value
        if value == "":
            return False
        file = written.find(self.watcher, state, text)
        if file is not None and file.exists:
            answer = _of_file(file, operator)
            if answer is not None:
                return answer
        elif file is None and operator not in ("-h", "-L"):  # a link may lead nowhere
            path = path_of(state, text)
            exists = None if path is None else self.watcher.files.exists(path)
            if exists is False or (exists is True and operator in ("-e", "-a")):
                return exists
        return undecided(f"{operator} {text.brief}", origin, False)

    def is_set(self, state: State, name: str, span: Span) -> Decision:
        """`-v name`, with an optional subscript."""
        found = re.fullmatch(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.*)\])?", name, re.ASCII | re.DOTALL)
        if found is None:
            if name.isdecimal():
                if any(map(is_list, state.positional[: whole(name)])):
                    return undecided(f"whether argument {name} is set", Origin(span, "positional", name), True)
                return 0 <= whole(name) <= len(state.positional)
            return False
        if is_machine(state, found[1]):
            return undecided(f"whether {name} is set", Origin(span, "environment", name), True)
        if found[2] is None:
            self.watcher.asked(state, found[1], span)
            if resolve(state, found[1])[1] is not None:
                return False  # bash looks for a variable that is called like the element
            return self.surely_set(state, found[1], scalar(state, found[1], span), span)
        value = state.variables.get(resolve(state, found[1])[0])
        if found[2] in ("@", "*") and (value is None or value.kind != "associative"):
            elements: Collection[Text] = array(state, found[1], span).values()
            return self.surely_set(state, found[1], min(elements, key=is_list, default=None), span)
        subscript = self.expander.subscript(state, found[1], found[2], span)
        return self.surely_set(state, found[1], element(state, found[1], subscript, span), span)

    def surely_set(self, state: State, name: str, text: Text | None, span: Span) -> Decision:
        """Whether there is a value of a variable, which may be unknown text that stands for none."""
        if text is not None and text.pieces and may_be_empty(text.pieces) and may_be_unset(state, name, text.pieces[0]):
            return undecided(f"whether {name} is set", Origin(span, "expansion", name), True)
        return text is not None

    def binary(self, state: State, left: Text, operator: str, right: Text, span: Span) -> Decision:
        """A comparison of two texts, not as patterns."""
        if operator in ("=", "==", "!="):
            return self.equal(state, left, right, operator == "!=", span, patterns=False)
        origin = derive(span, "expansion", None, tuple(p.origin for t in (left, right) for p in t.pieces)[:8])
        if operator in ("<", ">"):
            first, second = left.value, right.value
            if first is None or second is None:
                return undecided(f"{left.brief} {operator} {right.brief}", origin, False)
            return first < second if operator == "<" else first > second
        return undecided(f"{left.brief} {operator} {right.brief}", origin, False)

    def equal(self, state: State, left: Text, right: Text, differ: bool, span: Span, patterns: bool) -> Decision:
        """`==` and `!=`; with `patterns` the right side is one."""
        self.watch(state, left, right, patterns)
        if left.value == "":
            self.watcher.guards.note_empty(left)
        ignore_case = patterns and "nocasematch" in state.shell_options
        first, second = left.value, right.value
        if first is not None and second is not None:
            state.work += len(first) >> 6
            same = pattern.matches(first, second, True, ignore_case) if patterns else first == second
            return same != differ
        if second is not None:
            sure = partly_known.matches(left, second if patterns else pattern.escape(second), True, ignore_case)
            if sure is not None:
                return sure != differ
        origin = derive(span, "expansion", None, tuple(p.origin for t in (left, right) for p in t.pieces)[:8])
        guess = likely_text(right)
        same = pattern.matches(likely_text(left), guess) if patterns else likely_text(left) == guess
        return undecided(f"{left.brief} {'!=' if differ else '=='} {right.brief}", origin, same != differ)

    def watch(self, state: State, left: Text, right: Text, patterns: bool = False) -> None:
        for text, other in ((left, right), (right, left)):
            value = other.value
            if value is None or not text.pieces:
                continue
            if patterns and pattern.has_pattern(re.sub(r"\\.", "", value, flags=re.DOTALL), True):
                continue
            plain = pattern.unescape(value) if patterns else value
            if all(piece.origin.kind == "literal" for piece in other.pieces):
                self.watcher.compared(state, text, [plain])

    def watch_numbers(self, state: State, left: Text, operator: str, right: Text) -> None:
        """`-eq` and `-ne` name values; the others bounds, which say how many arguments are wanted and no more."""
        for text in (left, right):
            self.watcher.tested(state, text)
        if operator in ("-eq", "-ne"):
            self.watch(state, left, right)
            return
        for text, other in ((left, right), (right, left)):
            if other.value is not None and text.pieces:
                self.watcher.guards.note_count(text, [other.value], len(state.positional))


def _of_file(file: File, operator: str) -> bool | None:
    """What a test says of a file or folder that the script made; None if that is not known."""
    if operator in ("-f", "-d"):
        return file.folder == (operator == "-d")
    if operator in ("-e", "-a", "-r", "-w") or (operator == "-x" and (file.executable or file.folder)):
        return True
    if operator == "-s" and file.known and not file.ways and not file.folder:
        pieces = rope_pieces(file.content)
        full = any(isinstance(piece, Known) and piece.text.strip() for piece in pieces)
        if not full and any(isinstance(piece, Unknown) for piece in pieces):
            return None  # what a program writes may be nothing
        return full or any(isinstance(piece, Known) and piece.text for piece in pieces)
    return False if operator in ("-h", "-L", "-p", "-S", "-b", "-c") else None


def _as_likely(word: Text) -> Text:
    if word.value is not None:
        return word
    return Text((Known(likely_text(word), word.pieces[0].origin),))
