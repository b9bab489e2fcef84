"""Parameter expansion: `$name` and every form of `${...}`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from lint.bash.arithmetic import ArithmeticFault
from lint.bash.edits import Editor
from lint.bash.faults import Fatal
from lint.bash.listing import declaration, double_quote, key_quote, option_letters
from lint.bash.origins import derive, wrap
from lint.bash.reading import Known, Origin, OriginKind, Piece, Text, Unknown
from lint.bash.special import status_text
from lint.bash.splitting import Fragment
from lint.bash.state import State
from lint.bash.syntax import DoubleQuoted, Parameter, Part, Quoted, Word
from lint.bash.variables import AssignmentFault, Unbound, array, assign, element, ordered, resolve, scalar
from lint.text import Span

if TYPE_CHECKING:
    from lint.bash.expansion import Expander

Escape: TypeAlias = "Callable[[str], str]"
_QUOTES = (Quoted, DoubleQuoted)
_TARGET = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.*)\])?\Z|([0-9]+|[@*#?$!-])\Z", re.ASCII | re.DOTALL)


def is_all(part: Part) -> bool:
    """Whether a part is `$@` or `${a[@]}` in some form: the one kind of part that can be several fields in quotes."""
    return isinstance(part, Parameter) and not part.length and _star(part) == "@"


def count_of(expander: Expander, state: State, part: Part) -> int:
    """How many elements such a part has."""
    if not isinstance(part, Parameter):
        return 0
    return len([f for f in expand(expander, state, part, True, True) if f is not None])


def expand(
    expander: Expander, state: State, node: Parameter, quoted: bool, splitting: bool, operand: bool = False
) -> list[Fragment]:
    """The fragments of one expansion. `operand`: it stands in the word of another one, as in `${x:-$@}`."""
    name = node.name
    if not node.operator and node.subscript is None and not node.length and not node.indirect:
        value = state.variables.get(name)
        if value is not None and type(value.content) is Text and not value.reference and node.names is None:
            span = state.unit.span(node.start, node.end)
            return [(piece, quoted, not quoted) for piece in wrap(value.content, span, "expansion", name).pieces]
        if name[0] == "~":
            span = state.unit.span(node.start, node.end)
            return [
                (piece, True, False)
                for piece in wrap(expander.home(state, name[1:], span), span, "expansion", "HOME").pieces
            ]
    return _Expansion(expander, state, node, quoted, splitting, operand).run()


def _star(node: Parameter) -> str:
    """`@` or `*` if the expansion stands for a list, else an empty string."""
    if node.names is not None:
        return node.names
    if isinstance(node.subscript, str):
        return node.subscript
    if node.subscript is None and node.name in ("@", "*") and not node.indirect:
        return node.name
    return ""


@dataclass(slots=True)
class _Expansion:
    expander: Expander
    state: State
    node: Parameter
    quoted: bool
    splitting: bool
    in_operand: bool

    @property
    def span(self) -> Span:
        return self.state.unit.span(self.node.start, self.node.end)

    @property
    def editor(self) -> Editor:
        options = self.state.shell_options
        return Editor(self.node, self.span, "extglob" in options, "nocasematch" in options)

    def run(self) -> list[Fragment]:
        node = self.node
        star = _star(node)
        if node.names is not None:
            names = sorted(
                n for n, v in self.state.variables.items() if n.startswith(node.name) and v.content is not None
            )
            origin = Origin(self.span, "expansion", node.name)
            return self.listed([Text((Known(n, origin),)) for n in names], star)
        if node.indirect and star:
            return self.listed(self.keys(), star, edited=self.quoted)
        if node.indirect:
            return self.indirect()
        return self.of(node.name, node.subscript, star)

    def of(self, name: str, subscript: Word | Text | str | None, star: str) -> list[Fragment]:
        """The expansion of a name once indirection is resolved."""
        if star:
            return self.many(name, star)
        return self.one(name, subscript)

    # ------------------------------------------------------------------------------------------------- scalars

    def one(self, name: str, subscript: Word | Text | str | None) -> list[Fragment]:
        node = self.node
        text = self.value(name, subscript)
        operator = node.operator
        if node.length:
            return self.emit(self.length(name, text))
        if operator and operator[-1] in "-=?+" and operator not in ("/%",):
            return self.conditional(name, subscript, text)
        if text is None:
            self.check_set(name, subscript)
            if operator == "@" and self.editor.operand_text() in ("a", "A") and (v := self.state.variables.get(name)):
                return self.emit(self.editor.transformed(name, Text(()), v))
            return self.emit(self.unset(name))
        if not operator:
            return self.emit(wrap(text, self.span, self.kind(name), name))
        if operator == "@":
            text = self.editor.transformed(name, text, self.state.variables.get(name))
        elif operator == ":":
            text = self.substring(text)
        else:
            text = self.edit([text])[0]
        return self.emit(wrap(text, self.span, self.kind(name), name))

    def kind(self, name: str) -> OriginKind:
        return "positional" if name.isdecimal() else "expansion"

    def unset(self, name: str) -> Text:
        return Text((Known("", Origin(self.span, "unset", name)),))

    def emit(self, text: Text) -> list[Fragment]:
        return [(piece, self.quoted, not self.quoted) for piece in text.pieces]

    def value(self, name: str, subscript: Word | Text | str | None) -> Text | None:
        """The text of a scalar parameter, None if it is unset."""
        state = self.state
        if isinstance(subscript, Word):
            target = state.variables.get(resolve(state, name)[0])
            key = (
                self.expander.text(state, subscript)
                if target is not None and target.kind == "associative"
                else self.expander.joined(self.expander.fragments(state, subscript.parts, True, False))
            )
            return self.element(name, key)
        if isinstance(subscript, Text):
            return self.element(name, subscript)
        if name.isdecimal():
            index = int(name) if len(name) < 9 else 1 << 30
            if index == 0:
                return state.script_name
            return state.positional[index - 1] if index <= len(state.positional) else None
        if name[0].isalpha() or name[0] == "_":
            return scalar(state, name, self.span)
        return self.special(name)

    def element(self, name: str, key: Text) -> Text | None:
        try:
            return element(self.state, name, key, self.span)
        except ArithmeticFault as fault:
            raise Fatal(str(fault)) from None

    def special(self, name: str) -> Text | None:
        state = self.state
        origin = Origin(self.span, "expansion", name)
        if name == "#":
            return Text((Known(str(len(state.positional)), origin),))
        if name == "?":
            return status_text(state.status, self.span)
        if name == "-":
            return Text((Known(option_letters(state.options), origin),))
        if name in "@*":
            return self.expander.joined(self.many(name, name))
        if name == "$":
            return Text((Unknown("process id", origin),))
        return Text((Unknown("process id of a background command", origin),)) if state.background_started else None

    def check_set(self, name: str, subscript: object) -> None:
        if "nounset" in self.state.options and name not in ("@", "*"):
            label = name if subscript is None else f"{name}[{_subscript_text(subscript)}]"
            raise Unbound(label, self.span)

    def check_length(self, name: str) -> None:
        """Under `set -u`, the length of an array that is not set discards the line, but does not end the script."""
        if "nounset" in self.state.options:
            raise Fatal(f"{name}: unbound variable")

    def length(self, name: str, text: Text | None) -> Text:
        origin = derive(self.span, "expansion", name, tuple(p.origin for p in text.pieces[:4]) if text else ())
        if text is None:
            if self.node.subscript is None:
                self.check_set(name, None)
            else:
                self.check_length(name)
            return Text((Known("0", origin),))
        value = text.value
        if value is None:
            return Text((Unknown(f"length of {text.shown}", origin),))
        return Text((Known(str(len(value)), origin),))

    # ------------------------------------------------------------------------------------------- set or unset

    def conditional(self, name: str, subscript: Word | Text | str | None, text: Text | None) -> list[Fragment]:
        """`-`, `=`, `?` and `+`, each with or without a colon."""
        operator = self.node.operator
        missing = text is None or (operator[0] == ":" and _surely_empty(text))
        if operator[-1] == "+":
            return [] if missing else self.operand("expansion", name)
        if not missing and text is not None:
            return self.emit(wrap(text, self.span, self.kind(name), name))
        if operator[-1] == "-":
            return self.operand("default", name)
        if operator[-1] == "=":
            return self.assign_default(name, subscript)
        self.demand(name)
        raise AssertionError

    def operand(self, kind: OriginKind, name: str, splitting: bool | None = None) -> list[Fragment]:
        """The word after the operator, with its own quoting."""
        word = self.node.operand
        if word is None or not word.parts:
            origin = Origin(self.span, kind, name)
            return [(Known("", origin), self.quoted, False)]
        parts = self.expander.tilde(self.state, word.parts)
        inherits = splitting is None
        fragments = self.expander.fragments(
            self.state, parts, self.quoted, self.splitting if splitting is None else splitting, operand=inherits
        )
        return [f if f is None else (_from(f[0], self.span, kind, name), f[1], f[2]) for f in fragments]

    def assign_default(self, name: str, subscript: Word | Text | str | None) -> list[Fragment]:
        text = self.expander.joined(self.operand("default", name, splitting=False))
        if not (name[0].isalpha() or name[0] == "_"):
            raise Fatal(f"${name}: cannot assign in this way")
        key = self.expander.text(self.state, subscript) if isinstance(subscript, Word) else subscript
        try:
            assign(self.state, name, key if isinstance(key, Text) else None, text, self.span)
        except (AssignmentFault, ArithmeticFault) as fault:
            raise Fatal(str(fault)) from None
        stored = self.value(name, subscript) or text
        return self.emit(stored)

    def demand(self, name: str) -> None:
        word = self.node.operand
        message = self.expander.text(self.state, word).shown if word is not None and word.parts else ""
        message = message or "parameter null or not set"
        self.expander.shell.require(self.state, name, self.span, message)
        raise Fatal(f"{name}: {message}", ends=True)

    # --------------------------------------------------------------------------------------------------- lists

    def elements(self, name: str) -> list[tuple[int | str, Text]]:
        """The elements of an array, or the positional parameters (from 1)."""
        if name in ("@", "*"):
            return list(enumerate(self.state.positional, 1))
        return ordered(array(self.state, name, self.span))

    def keys(self) -> list[Text]:
        origin = Origin(self.span, "expansion", self.node.name)
        return [Text((Known(str(key), origin),)) for key, _ in self.elements(self.node.name)]

    def many(self, name: str, star: str) -> list[Fragment]:
        node = self.node
        elements = self.elements(name)
        operator = node.operator
        if node.length:
            origin = Origin(self.span, "expansion", name)
            unknown = next((p for _, t in elements for p in t.pieces if isinstance(p, Unknown) and p.splits), None)
            if unknown is not None:
                return self.emit(Text((Unknown(f"number of elements of {name}", origin),)))
            if not elements and name not in ("@", "*") and name not in self.state.variables:
                self.check_length(name)
            return self.emit(Text((Known(str(len(elements)), origin),)))
        texts = [text for _, text in elements]
        if operator and operator[-1] in "-=?+" and operator not in ("/%",):
            missing = not texts or (operator[0] == ":" and len(texts) == 1 and _surely_empty(texts[0]))
            if operator[-1] == "+":
                return [] if missing else self.operand("expansion", name)
            if missing and operator[-1] == "-":
                return self.operand("default", name)
            if missing and operator[-1] == "?":
                self.demand(name)
            if missing:
                return self.assign_default(name, None)
        elif operator == ":":
            texts = self.slice(name, elements)
        elif operator == "@":
            texts = self.transformed_list(name, elements)
        elif operator:
            texts = self.edit(texts)
        kind: OriginKind = "positional" if name in ("@", "*") else "expansion"
        edited = operator in ("#", "##", "%", "%%") or (self.quoted and operator[-1:] not in ("", "-", "=", "?", "+"))
        span = self.span
        return self.listed([wrap(text, span, kind, name) for text in texts], star, edited)

    def listed(self, texts: Sequence[Text], star: str, edited: bool = False) -> list[Fragment]:
        """The elements as `$@` or `$*` yields them. `edited`: an assignment joins them as it does those of `$*`."""
        ifs = self.expander.ifs(self.state)
        separator: Fragment = None
        if self.in_operand and not self.quoted and self.joins_with_space(star, ifs):
            separator = (Known(" ", Origin(self.span, "expansion")), False, self.splitting)
        elif self.quoted or not self.splitting:
            if star == "*" or (edited and ifs and not self.splitting and self.expander.assigning):
                separator = (Known(ifs[:1], Origin(self.span, "expansion", "IFS")), self.quoted, False)
            elif not self.splitting:
                separator = (Known(" ", Origin(self.span, "expansion")), self.quoted, False)
        elif ifs:
            separator = (Known(ifs[0], Origin(self.span, "expansion", "IFS")), False, True)
        found: list[Fragment] = []
        for index, text in enumerate(texts):
            if index:
                found.append(separator)
            pieces: Sequence[Piece] = text.pieces
            if not pieces and self.quoted:
                pieces = (Known("", Origin(self.span, "expansion")),)
            found.extend((piece, self.quoted, not self.quoted) for piece in pieces)
        return found

    def joins_with_space(self, star: str, ifs: str) -> bool:
        """Whether bash joins a list that stands in the word of another expansion, unquoted, as if it were `$*`."""
        if self.splitting:
            return star == "@" and bool(ifs)
        return self.node.name == "*" and not self.node.operator and not ifs and self.expander.assigning

    def slice(self, name: str, elements: list[tuple[int | str, Text]]) -> list[Text]:
        offset, length = self.bounds()
        if isinstance(offset, Unknown) or isinstance(length, Unknown):
            unknown = offset if isinstance(offset, Unknown) else length
            return [Text((replace(unknown, splits=True),))] if isinstance(unknown, Unknown) else []
        if name in ("@", "*"):
            everything: list[tuple[int | str, Text]] = [(0, self.state.script_name), *elements]
            if offset < 0:
                offset += len(everything)
            texts = [text for key, text in everything if int(key) >= offset] if offset >= 0 else []
        elif elements and isinstance(elements[0][0], str):
            texts = [text for _, text in elements][max(0, offset - 1 if offset > 0 else offset) :]
        else:
            if offset < 0:
                offset += int(elements[-1][0]) + 1 if elements else 0
            texts = [text for key, text in elements if int(key) >= offset] if offset >= 0 else []
        if length is not None:
            if length < 0 and elements:
                raise Fatal(f"{length}: substring expression < 0")
            texts = texts[:length]
        return texts

    # --------------------------------------------------------------------------------------------- indirection

    def indirect(self) -> list[Fragment]:
        node = self.node
        value = self.state.variables.get(node.name)
        if value is not None and value.reference and isinstance(value.content, Text):
            return self.emit(value.content)
        text = self.value(node.name, node.subscript)
        if text is None:
            if node.operator and node.operator[-1] in "-=?+" and node.operator != "/%":
                return self.conditional(node.name, node.subscript, None)
            if node.name.isdecimal():
                self.check_set(node.name, None)
            raise Fatal(f"{node.name}: invalid indirect expansion")
        target = text.value
        if target is None:
            origin = derive(self.span, "expansion", node.name, tuple(p.origin for p in text.pieces[:4]))
            return self.emit(Text((Unknown(f"variable named by {text.shown}", origin),)))
        found = _TARGET.match(target)
        if found is None:
            raise Fatal(f"{target}: invalid variable name")
        name, subscript = found[1] or found[3], found[2]
        if subscript in ("@", "*") or (subscript is None and name in ("@", "*")):
            return self.many(name, subscript or name)
        key = None if subscript is None else Text((Known(subscript, Origin(self.span, "expansion", node.name)),))
        return self.one(name, key)

    # --------------------------------------------------------------------------------------------------- edits

    def bounds(self) -> tuple[int | Unknown, int | Unknown | None]:
        """Offset and length of a substring."""
        node = self.node
        try:
            offset = self.expander.arithmetic(self.state, node.operand) if node.operand is not None else 0
            length = self.expander.arithmetic(self.state, node.second) if node.second is not None else None
        except ArithmeticFault as fault:
            raise Fatal(str(fault)) from None
        return offset, length

    def substring(self, text: Text) -> Text:
        offset, length = self.bounds()
        value = text.value
        if value is None or isinstance(offset, Unknown) or isinstance(length, Unknown):
            return self.editor.part_of(text)
        size = len(value)
        if offset < 0:
            offset += size
        if offset < 0 or offset > size:
            return Text(())
        end = size if length is None else offset + length if length >= 0 else size + length
        if end < offset:
            raise Fatal(f"{length}: substring expression < 0")
        return text.slice(offset, min(end, size))

    def edit(self, texts: list[Text]) -> list[Text]:
        """Removal, replacement and change of case; the operand is expanded once."""
        node = self.node
        operand = self.expander.pattern(self.state, node.operand) if node.operand is not None else Text(())
        shape = operand.value
        if shape is None:
            return [self.editor.part_of(text) for text in texts]
        operator = node.operator
        if operator in ("#", "##"):
            return [self.editor.without_prefix(text, shape, operator == "##") for text in texts]
        if operator in ("%", "%%"):
            return [self.editor.without_suffix(text, shape, operator == "%%") for text in texts]
        if operator[0] == "/":
            replacement = self.replacement()
            return [self.editor.replaced(text, shape, replacement) for text in texts]
        if not shape and node.operand is not None and any(isinstance(p, _QUOTES) for p in node.operand.parts):
            return texts  # a pattern that is empty because of its quotes matches no character
        return [self.editor.recased(text, shape) for text in texts]

    def replacement(self) -> list[tuple[Piece, bool]]:
        """The text that replaces a match; an unquoted `&` in it stands for the match."""
        word = self.node.second
        if word is None:
            return []
        parts = self.expander.tilde(self.state, word.parts)
        fragments = self.expander.fragments(self.state, parts, False, False)
        space = Known(" ", Origin(self.span, "literal"))
        return [(space, True) if f is None else (f[0], f[1]) for f in fragments]

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
        return [self.editor.transformed(name, text, value) for _, text in elements]


def _surely_empty(text: Text) -> bool:
    return all(isinstance(piece, Known) and not piece.text for piece in text.pieces)


def _from(piece: Piece, span: Span, kind: OriginKind, name: str) -> Piece:
    origin = derive(span, kind, name, (piece.origin,))
    return Known(piece.text, origin) if isinstance(piece, Known) else replace(piece, origin=origin)


def _subscript_text(subscript: object) -> str:
    if isinstance(subscript, Text):
        return subscript.shown
    if isinstance(subscript, Word):
        return "".join(getattr(part, "text", "") for part in subscript.parts)
    return str(subscript)
