"""What a parameter stands for, and what an operator makes of it: values, lengths, lists, slices, edits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lint.bash.budget import CHARACTERS_A_STEP
from lint.bash.faults import Fatal, Reported, TooLong, fatal
from lint.bash.origins import derive, passed_on
from lint.bash.reading import Known, Origin, OriginKind, Piece, Text, Unknown
from lint.bash.state import options
from lint.bash.state.key_order import ordered
from lint.bash.state.state import Flow, State
from lint.bash.state.variables import Unbound, array, element, resolve, scalar
from lint.bash.syntax import DoubleQuoted, Parameter, Quoted, Word
from lint.bash.unknown import DIGITS, ELEMENT_OF, is_list
from lint.bash.words.arithmetic_tokens import ArithmeticFault
from lint.bash.words.edits import Editor
from lint.bash.words.fragments import Fragment
from lint.bash.words.listing import declaration, double_quote, key_quote
from lint.bash.words.manner import IS_EXPANDED, REPLACEMENT, Manner, of_pattern
from lint.bash.words.special import status_text
from lint.bash.words.splitting import Separators
from lint.text import Span

if TYPE_CHECKING:
    from lint.bash.words.expansion import Expander

CONDITIONALS = frozenset(("-", ":-", "=", ":=", "?", ":?", "+", ":+"))
_QUOTES = (Quoted, DoubleQuoted)


def may_be_unset(state: State, name: str, piece: Piece) -> bool:
    """Whether only a run can tell if a parameter, or an element of it, is set that is seen as this unknown text."""
    if isinstance(piece, Unknown) and piece.reason.startswith(ELEMENT_OF):
        return True
    if not (name[0].isalpha() or name[0] == "_"):
        return any(map(is_list, state.positional))
    value = state.variables.get(resolve(state, name)[0])
    content = () if value is None or value.content is None else value.content
    texts = (content,) if isinstance(content, Text) else content.values() if isinstance(content, Mapping) else ()
    return any(map(is_list, texts))


@dataclass(slots=True)
class Notes:
    """What is known of the word around an expansion. Beside each field stands its name in bash's subst.c."""

    lists: int = 0  # the lists in it so far that are split whatever IFS is (has_dollar_at)
    quoted_lists: int = 0  # those in quotes (quoted_dollar_at)
    reported: bool = False  # whether the word around it is told of them (contains_dollar_at)
    null: bool = False  # there were quotes with nothing in them (had_quoted_null)
    spaces: bool = False  # it is split at spaces (split_on_spaces)


@dataclass(slots=True)
class Found:
    """What an expansion yields; `fragments` None: not even an empty text."""

    fragments: list[Fragment] | None
    null: bool = False  # it is, or holds, quotes with nothing in them (W_HASQUOTEDNULL, W_SAWQUOTEDNULL)
    spaces: bool = False  # its word is split at spaces (W_SPLITSPACE)
    lists: bool = False  # it is a list that is split whatever IFS is


@dataclass(slots=True)
class Lookup:
    """Values and edits of parameters, for one expansion in one state."""

    expander: Expander
    state: State
    node: Parameter
    manner: Manner
    notes: Notes
    span: Span = field(init=False)

    def __post_init__(self) -> None:
        self.span = self.state.unit.span(self.node.start, self.node.end)

    @property
    def ifs(self) -> Separators:
        return self.expander.ifs(self.state)

    @property
    def editor(self) -> Editor:
        options = self.state.shell_options
        return Editor(self.node, self.span, "extglob" in options, "nocasematch" in options)

    @property
    def no_separator(self) -> bool:
        """Whether IFS is empty."""
        ifs = self.ifs
        return ifs.given and not ifs.text

    def value(self, name: str, subscript: Word | Text | str | None) -> Text | None:
        """The text of a scalar parameter, None if it is unset."""
        state = self.state
        if isinstance(subscript, Word):
            target = state.variables.get(resolve(state, name)[0])
            key = (
                self.expander.key(state, subscript)
                if target is not None and target.kind == "associative"
                else self.expander.index(state, subscript)
            )
            return self.element(name, key)
        if isinstance(subscript, Text):
            return self.element(name, subscript)
        if name.isdecimal():
            index = int(name) if len(name) < 9 else 1 << 30
            if index == 0:
                return state.script_name
            if any(map(is_list, state.positional[:index])):
                return Text(
                    (Unknown(f"argument {name}: how many are before it", Origin(self.span, "positional", name)),)
                )
            return state.positional[index - 1] if index <= len(state.positional) else None
        if name[0].isalpha() or name[0] == "_":
            return scalar(state, name, self.span)
        return self.special(name)

    def element(self, name: str, key: Text) -> Text | None:
        state, node = self.state, self.node
        try:
            found = element(state, name, key, self.span, node.length)
        except ArithmeticFault as fault:
            raise fatal(fault) from None
        strict = "nounset" in state.options and node.operator not in CONDITIONALS
        if strict and found is not None and found.pieces and may_be_unset(state, name, found.pieces[0]):
            state.doubt(Flow("exit", forced=True))
        return found

    def special(self, name: str) -> Text | None:
        state = self.state
        origin = Origin(self.span, "expansion", name)
        if name == "#":
            state.work += len(state.positional) >> 3
            if any(map(is_list, state.positional)):
                return Text((Unknown("number of arguments", origin, characters=DIGITS),))
            return Text((Known(str(len(state.positional)), origin),))
        if name == "?":
            return status_text(state.status, self.span)
        if name == "-":
            return Text((Known(options.shown(state.options), origin),))
        if name == "$":
            return Text((Unknown("process id", origin, characters=DIGITS),))
        if not state.background_started:
            return None
        return Text((Unknown("process id of a background command", origin, characters=DIGITS),))

    def check_set(self, name: str, subscript: object) -> None:
        if "nounset" in self.state.options and name not in ("@", "*"):
            label = name if subscript is None else f"{name}[{_subscript_text(subscript)}]"
            raise Unbound(label, self.span)

    def check_length(self, name: str) -> None:
        """Under `set -u`, the length of what is no array discards the line, but does not end the script."""
        if "nounset" in self.state.options:
            raise Reported(f"{name}: unbound variable")

    def length(self, name: str, text: Text | None) -> Text:
        if self.node.subscript is None and resolve(self.state, name)[1] is not None:
            return Text((Known("0", Origin(self.span, "expansion", name)),))  # of what is called like the element
        origin = derive(self.span, "expansion", name, tuple(p.origin for p in text.pieces[:4]) if text else ())
        if text is None:
            if self.node.subscript is None:
                self.check_set(name, None)
            else:
                self.check_length(name)
            return Text((Known("0", origin),))
        value = text.value
        if value is None:
            return Text((Unknown(f"length of {text.brief}", origin, characters=DIGITS),))
        return Text((Known(str(len(value)), origin),))

    def demanded(self, found: Found) -> Found:
        """A value that may be none, beside the way on which the shell ends for that."""
        self.state.doubt(Flow("exit", forced=True))
        return found

    def demand(self, name: str) -> None:
        word = self.node.operand
        message = self.expander.text(self.state, word).shown if word is not None and word.parts else ""
        message = message or "parameter null or not set"
        self.expander.shell.require(self.state, name, self.span, message)
        raise Fatal(f"{name}: {message}", ends=True)

    def elements(self, name: str) -> list[tuple[int | str, Text]]:
        """The elements of an array, or the positional parameters (from 1)."""
        if name in ("@", "*"):
            return list(enumerate(self.state.positional, 1))
        return ordered(array(self.state, name, self.span))

    def texts(self, name: str) -> list[Text]:
        """The elements as seen from here."""
        return self.wrapped(name, [text for _, text in self.elements(name)])

    def wrapped(self, name: str, texts: Sequence[Text]) -> list[Text]:
        kind: OriginKind = "positional" if name in ("@", "*") else "expansion"
        span = self.span
        return [passed_on(text, span, kind, name) for text in texts]

    def keys(self) -> list[Text]:
        origin = Origin(self.span, "expansion", self.node.name)
        elements = self.elements(self.node.name)
        if any(is_list(text) for _, text in elements):
            return [Text((Unknown(f"keys of {self.node.name}", origin, splits=True),))]
        return [Text((Known(str(key), origin),)) for key, _ in elements]

    def is_scalar(self, name: str) -> bool:
        """Whether `${name[@]}` is a variable that is no array."""
        target = self.state.variables.get(resolve(self.state, name)[0])
        return target is not None and target.kind == "scalar"

    def count(self, name: str, elements: Sequence[tuple[int | str, Text]]) -> Text:
        """`${#name[@]}`."""
        origin = Origin(self.span, "expansion", name)
        if any(is_list(text) for _, text in elements):
            return Text((Unknown(f"number of elements of {name}", origin, characters=DIGITS),))
        if name not in ("@", "*") and (self.is_scalar(name) or (not elements and name not in self.state.variables)):
            self.check_length(name)
        return Text((Known(str(len(elements)), origin),))

    def slice(self, name: str, elements: list[tuple[int | str, Text]]) -> list[Text]:
        offset, length = self.bounds()
        if isinstance(offset, Unknown) or isinstance(length, Unknown):
            unknown = offset if isinstance(offset, Unknown) else length
            assert isinstance(unknown, Unknown)
            return [Text((Unknown(unknown.reason, unknown.origin, splits=True),))]
        from_end = offset < 0
        if name in ("@", "*"):
            everything: list[tuple[int | str, Text]] = [(0, self.state.script_name), *elements]
            if offset < 0:
                offset += len(everything)
            texts = [text for key, text in everything if int(key) >= offset] if offset >= 0 else []
        elif elements and isinstance(elements[0][0], str):
            if offset < 0:
                offset += len(elements) + 1
            texts = [text for _, text in elements][max(0, offset - 1) :] if offset >= 0 else []
        else:
            if offset < 0:
                offset += int(elements[-1][0]) + 1 if elements else 0
            texts = [text for key, text in elements if int(key) >= offset] if offset >= 0 else []
        skipped = [text for _, text in elements[: len(elements) - len(texts)]]
        if any(map(is_list, texts if from_end else skipped if length is None else (*skipped, *texts[:length]))):
            return [Text((Unknown(f"part of {name}", Origin(self.span, "expansion", name), splits=True),))]
        if length is not None:
            if length < 0 and elements:
                raise Fatal(f"{length}: substring expression < 0")
            texts = texts[:length]
        return texts

    # --------------------------------------------------------------------------------------------------- edits

    def bounds(self) -> tuple[int | Unknown, int | Unknown | None]:
        """Offset and length of a substring."""
        node = self.node
        try:
            offset = self.expander.arithmetic(self.state, node.operand) if node.operand is not None else 0
            length = self.expander.arithmetic(self.state, node.second) if node.second is not None else None
        except ArithmeticFault as fault:
            raise fatal(fault) from None
        return offset, length

    def substring(self, text: Text) -> Text | None:
        """`${name:offset:length}`; None if the offset lies outside of the text."""
        offset, length = self.bounds()
        value = text.value
        if value is None or isinstance(offset, Unknown) or isinstance(length, Unknown):
            return self.editor.part_of(text)
        size = len(value)
        if offset < 0:
            offset += size
        if offset < 0 or offset > size:
            return None
        end = size if length is None else offset + length if length >= 0 else size + length
        if end < offset:
            raise Fatal(f"{length}: substring expression < 0")
        return text.slice(offset, min(end, size))

    def edit(self, texts: list[Text]) -> list[Text]:
        """Removal, replacement and change of case; the operand is expanded once."""
        node = self.node
        manner = of_pattern(self.manner)
        operand = Text(())
        if node.operand is not None:
            anchored = node.operator in ("/#", "/%")  # then the pattern does not begin with its tilde
            operand = self.expander.pattern(self.state, node.operand, manner, tilde=not anchored)
        shape = operand.value
        if shape is None:
            return [self.editor.part_of(text) for text in texts]
        editor, operator = self.editor, node.operator
        if operator in ("#", "##"):
            return self.in_time(editor.without_prefix(text, shape, operator == "##") for text in texts)
        if operator in ("%", "%%"):
            return self.in_time(editor.without_suffix(text, shape, operator == "%%") for text in texts)
        if operator[0] == "/":
            replacement = self.replacement()
            return self.in_time(editor.replaced(text, shape, replacement) for text in texts)
        if not shape and node.operand is not None and any(isinstance(p, _QUOTES) for p in node.operand.parts):
            return texts  # a pattern that is empty because of its quotes matches no character
        return self.in_time(editor.recased(text, shape) for text in texts)

    def in_time(self, texts: Iterable[Text]) -> list[Text]:
        """Texts that are made one by one. Raises TooLong."""
        budget = self.expander.shell.budget
        made: list[Text] = []
        for text in texts:
            budget.steps -= text.size // CHARACTERS_A_STEP
            if budget.exhausted:
                raise TooLong
            made.append(text)
        return made

    def replacement(self) -> list[tuple[Piece, bool]]:
        """The text that replaces a match; an unquoted `&` in it stands for the match, unless `shopt` says otherwise."""
        word = self.node.second
        if word is None:
            return []
        state = self.state
        plain = "patsub_replacement" not in state.shell_options
        fragments = self.expander.joined(state, word.parts, REPLACEMENT)
        if plain and IS_EXPANDED.search(state.unit.source.text, word.start, word.end):
            state.joins = False
        return [(fragment[0], fragment[1] or plain) for fragment in fragments if fragment is not None]

    # ------------------------------------------------------------------------------------------- `${x@Q}` etc.

    def transformed_list(self, name: str, elements: list[tuple[int | str, Text]]) -> list[Text]:
        letter = self.editor.operand_text()
        value = self.state.variables.get(name)
        origin = Origin(self.span, "expansion", name)
        if letter in ("A", "K", "k") and name not in ("@", "*"):
            if any(text.value is None for _, text in elements):
                return [self.editor.part_of(Text(tuple(p for _, t in elements for p in t.pieces)))]
            pairs = [(str(key), text.value or "") for key, text in elements]
            if letter == "k":
                return [Text((Known(part, origin),)) for pair in pairs for part in pair]
            if letter == "K":
                shown = " ".join(f"{key_quote(key)} {double_quote(text)}" for key, text in pairs)
                if value is not None and value.kind == "associative":
                    shown += " "
                return [Text((Known(shown, origin),))]
            words = declaration(name, value).split(" ", 2) if value is not None else []
            return [Text((Known(word, origin),)) for word in words]
        return self.in_time(self.editor.transformed(name, text, value) for _, text in elements)


def _subscript_text(subscript: object) -> str:
    if isinstance(subscript, Text):
        return subscript.shown
    if isinstance(subscript, Word):
        return "".join(getattr(part, "text", "") for part in subscript.parts)
    return str(subscript)
