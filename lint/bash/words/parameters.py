"""Parameter expansion: `$name` and every form of `${...}`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lint.bash.faults import Rejected, Reported, fatal
from lint.bash.origins import derive, step, wrap
from lint.bash.reading import Known, Origin, OriginKind, Text, Unknown
from lint.bash.state.complaints import AssignmentFault
from lint.bash.state.state import State
from lint.bash.state.variables import assign
from lint.bash.syntax import Parameter, Part, Word
from lint.bash.unknown import may_be_empty
from lint.bash.words.arithmetic_tokens import ArithmeticFault
from lint.bash.words.fragments import Fragment, is_null, is_visible, quoted_again, text_of, without_nulls
from lint.bash.words.fragments import Part as SplitPart
from lint.bash.words.lists import (
    changed,
    of_array,
    of_parameters,
    placed,
    plain,
    separated,
    side_by_side,
    spaced,
    starred,
    value,
)
from lint.bash.words.manner import QUOTED, Manner, of_operand
from lint.bash.words.parameter_values import CONDITIONALS, Found, Lookup, Notes, may_be_unset
from lint.bash.words.special import COMPUTED, MACHINE
from lint.bash.words.tildes import expand_tildes, home
from lint.regular import regular

if TYPE_CHECKING:
    from lint.bash.words.expansion import Expander

_COUNTED = frozenset("#?-$!")
_TARGET = regular(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.*)\])?\Z|([0-9]+|[@*#?$!-])\Z", re.ASCII | re.DOTALL)


def expand(expander: Expander, state: State, node: Parameter, manner: Manner, notes: Notes) -> Found:
    """What one expansion yields, and what it makes known about its word."""
    if node.name[0] == "~":
        span = state.unit.span(node.start, node.end)
        text = wrap(home(state, node.name[1:], span), span, "expansion", "HOME")
        return Found(quoted_again(plain(text)))
    return _Expansion(expander, state, node, manner, notes).run()


def elements_of(expander: Expander, state: State, part: Part) -> list[Text] | None:
    """The elements of `$@` or `${name[@]}` if the part is just that: in quotes, each is a word of its own."""
    if not isinstance(part, Parameter) or part.operator or part.length or part.indirect or _star(part) != "@":
        return None
    if part.names is not None:
        return None
    return _Expansion(expander, state, part, QUOTED, Notes()).texts(part.name)


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
class _Expansion(Lookup):
    lists: bool = False  # a list that is split whatever IFS is was met (contains_dollar_at)

    def run(self) -> Found:
        found = self.found()
        found.lists = self.lists
        return found

    def found(self) -> Found:
        node = self.node
        star = _star(node)
        if node.names is not None:
            origin = Origin(self.span, "expansion", node.name)
            outside = (item for frame in self.state.frames for item in frame.shadowed.items())
            everywhere = (*self.state.variables.items(), *outside)
            names = sorted({n for n, v in everywhere if n.startswith(node.name) and v and v.content is not None})
            texts = [Text((Known(name, origin),)) for name in names]
            if any(name.startswith(node.name) for name in MACHINE | COMPUTED):
                texts = [Text((Unknown(f"names that begin with {node.name}", origin, splits=True),))]
            if star == "*":
                return Found(starred(texts, self.ifs, self.span))
            self.note_list()
            return Found(separated(texts, not self.manner.bare, self.ifs, self.span))
        if node.indirect and star:
            texts = self.keys()
            if star == "@":
                self.note_list()
            assigned = self.manner.assigned
            quoted = self.manner.quoted
            document = self.manner.document
            return Found(placed(star == "*", texts, self.manner, quoted, self.ifs, self.span, assigned, document))
        if node.indirect:
            return self.indirect()
        return self.many(node.name, star) if star else self.one(node.name, node.subscript)

    def note_list(self) -> None:
        """`$@` in some form: it is taken apart, in quotes too."""
        if self.manner.quoted:
            self.notes.quoted_lists = 1
        self.lists = True

    # ------------------------------------------------------------------------------------------------- scalars

    def one(self, name: str, subscript: Word | Text | str | None) -> Found:
        return self.one_of(name, subscript, self.value(name, subscript))

    def one_of(self, name: str, subscript: Word | Text | str | None, text: Text | None) -> Found:
        node = self.node
        operator = node.operator
        conditional = operator and operator[-1] in "-=?+" and operator != "/%"
        if text is None and subscript is None and not conditional:
            text = self.state.outside.elsewhere(name, self.span, self.state.variables)
        if node.length:
            return self.emit_plain(self.length(name, text))
        if conditional:
            fragments = None if text is None else self.fragments(name, text)
            return self.conditional(name, subscript, Found(fragments))
        if text is None:
            self.check_set(name, subscript)
            if operator == "@" and self.editor.operand_text() in ("a", "A") and (v := self.state.variables.get(name)):
                return self.emit_changed(name, self.editor.transformed(name, Text(()), v))
            return Found([(Known("", Origin(self.span, "unset", name)), False, False)])
        return self.edited(name, text) if operator else Found(self.fragments(name, text))

    def edited(self, name: str, text: Text) -> Found:
        """A value and the edit that the operator asks for."""
        operator = self.node.operator
        if operator == "@":
            [changed_text] = self.in_time([self.editor.transformed(name, text, self.state.variables.get(name))])
            if changed_text.value == "" and self.editor.operand_text() == "a":
                return Found(None)  # no attributes are not even an empty text
            return self.emit_changed(name, changed_text)
        if operator == ":":
            part = self.substring(text)
            return Found(None) if part is None else self.emit_changed(name, part)
        if operator in ("#", "##", "%", "%%") and text.value == "":
            return Found(self.fragments(name, text))
        changed = self.edit([text])[0]
        size = sum(len(piece.text) for piece in text.pieces if isinstance(piece, Known))
        self.state.work += (size >> 6) + (size * len(changed.pieces) >> 16)
        return self.emit_changed(name, changed)

    def kind(self, name: str) -> OriginKind:
        return "positional" if name.isdecimal() else "expansion"

    def fragments(self, name: str, text: Text) -> list[Fragment]:
        """The value of a variable as it is; what bash counts itself is never quoted."""
        text = wrap(text, self.span, self.kind(name), name)
        return plain(text) if name in _COUNTED else value(text, self.manner, self.ifs)

    def emit_plain(self, text: Text) -> Found:
        return Found(plain(text))

    def emit_changed(self, name: str, text: Text) -> Found:
        return self.finished(name, changed(wrap(text, self.span, self.kind(name), name), self.manner, self.ifs))

    def finished(self, name: str, fragments: list[Fragment]) -> Found:
        """The result of an edit, of a variable or of a list."""
        manner, operator = self.manner, self.node.operator
        always = operator[:1] in ("#", "%", "@")
        null = manner.quoted and is_null(fragments) and (always or not self.notes.quoted_lists)
        spaces = False
        if not null and name == "*" and manner.bare:
            spaces = self.no_separator or (operator == ":" and manner.assigned)
        return Found(fragments, null=null, spaces=spaces)

    # ------------------------------------------------------------------------------------------- set or unset

    def conditional(self, name: str, subscript: Word | Text | str | None, found: Found) -> Found:
        """`-`, `=`, `?` and `+`, each with or without a colon. `found`: the value of the name."""
        operator, quoted = self.node.operator, self.manner.quoted
        fragments = found.fragments
        if fragments is not None and self.only_a_run_tells(name, fragments):
            return self.undecided(name, subscript, found)
        missing = fragments is None
        if fragments is not None and operator[0] == ":":
            special = not (name[0].isalpha() or name[0] == "_") or subscript in ("@", "*")
            missing = not is_visible(fragments) or (quoted and special and is_null(fragments))
        if not missing and operator[-1] != "+":
            return found
        if missing and operator[-1] == "+":
            rest = [] if fragments is None else without_nulls(fragments)
            return Found(rest, null=quoted and fragments is not None and is_null(fragments))
        if operator[-1] == "?":
            self.demand(name)
        if operator[-1] == "=" and not (name[0].isalpha() or name[0] == "_"):
            raise Reported(f"${name}: cannot assign in this way")
        if quoted:
            self.notes.quoted_lists = 0
        self.lists = False
        return self.operand("expansion" if operator[-1] == "+" else "default", name, subscript)

    def only_a_run_tells(self, name: str, fragments: Sequence[Fragment]) -> bool:
        """Whether it is not known if the name is set or, with a colon, empty."""
        pieces = [fragment[0] for fragment in fragments if fragment is not None]
        if len(pieces) < len(fragments) or not may_be_empty(pieces):
            return False
        return self.node.operator[0] == ":" or may_be_unset(self.state, name, pieces[0])

    def undecided(self, name: str, subscript: Word | Text | str | None, found: Found) -> Found:
        """What the expansion yields where only a run can tell which of two texts it is."""
        unknown = next(piece for piece in text_of(found.fragments or ()).pieces if isinstance(piece, Unknown))
        kind = self.node.operator[-1]
        if kind == "?" or (kind == "+" and not is_visible(self.operand("expansion", name, subscript).fragments or ())):
            return self.demanded(found) if kind == "?" else Found([(Known("", unknown.origin), False, False)])
        reason = unknown.reason if kind != "+" else f"empty or not: {unknown.reason}"
        text = Text((Unknown(reason, unknown.origin, splits=unknown.splits),))
        if kind == "=" and (name[0].isalpha() or name[0] == "_"):
            self.store(name, subscript, text)
        return self.emit_changed(name, text)

    def operand(self, kind: OriginKind, name: str, subscript: Word | Text | str | None) -> Found:
        """The word after the operator (`parameter_brace_expand_rhs`)."""
        word, manner, ifs = self.node.operand, self.manner, self.ifs
        assigns = self.node.operator[-1] == "="
        parts: list[SplitPart] = []
        rest: list[Fragment] = []
        lists = False
        if word is not None and word.parts:
            inside = expand_tildes(self.state, word.parts, manner.assigned and not assigns, names=False)
            before, self.state.joins = self.state.joins, manner.quoted or assigns or not self.no_separator
            expansion = self.expander.expand(self.state, inside, of_operand(manner, assigns))
            self.state.joins = before
            parts, lists, rest = expansion.parts, expansion.lists, expansion.rest
        self.lists = lists or len(parts) > 1
        found = Found(None)
        for part in parts:
            if not is_visible(part.fragments):
                part.fragments, part.null, part.saw_null = [*part.fragments, None], True, False
        if parts:
            if (lists and not manner.bare) or len(parts) > 1:
                self.notes.quoted_lists = 1
            joined = [part.fragments for part in parts]
            if len(parts) > 1 and self.no_separator:
                found = Found(side_by_side(joined, " ", self.span), spaces=True)
            elif lists or len(parts) > 1:
                found = Found(side_by_side(joined, ifs.first, self.span))
            else:
                found = Found(joined[0], null=parts[0].saw_null and not is_null(joined[0]))
            if len(parts) == 1 and manner.quoted and parts[0].null and is_null(joined[0]):
                found.null = True
                if lists:
                    self.notes.quoted_lists = 0
        elif manner.quoted and lists:
            found = Found([None], null=True)
        fragments = found.fragments if found.fragments is not None else rest
        if not fragments:
            fragments = [(Known("", Origin(self.span, kind, name)), False, False)]
        found.fragments = [f if f is None else (step(f[0], self.span, kind, name), f[1], f[2]) for f in fragments]
        return self.assign_default(name, subscript, found) if assigns else found

    def assign_default(self, name: str, subscript: Word | Text | str | None, found: Found) -> Found:
        text = text_of(found.fragments or ())
        self.store(name, subscript, text)
        fragments = changed(self.value(name, subscript) or text, self.manner, self.ifs)
        return Found(fragments, null=self.manner.quoted and is_null(fragments))

    def store(self, name: str, subscript: Word | Text | str | None, text: Text) -> None:
        """Give the name the text of `=`."""
        key = self.expander.key(self.state, subscript) if isinstance(subscript, Word) else subscript
        try:
            assign(self.state, name, key if isinstance(key, Text) else None, text, self.span)
        except (AssignmentFault, ArithmeticFault) as fault:
            raise fatal(fault) from None

    # --------------------------------------------------------------------------------------------------- lists

    def many(self, name: str, star: str) -> Found:
        """`$@`, `$*`, `${name[@]}`, `${name[*]}`, and what can follow these in braces."""
        node = self.node
        elements = self.elements(name)
        self.expander.shell.budget.steps -= len(elements) >> 3
        operator = node.operator
        if node.length:
            return self.emit_plain(self.count(name, elements))
        texts = self.wrapped(name, [text for _, text in elements])
        self.note_elements(name, star)
        if not operator or operator in CONDITIONALS:
            found = self.together(name, star, texts)
            return self.conditional(name, star, found) if operator else found
        positional = name in ("@", "*")
        declared = operator == "@" and self.editor.operand_text() == "A" and name in self.state.variables
        if not texts and not (positional and operator == ":") and not declared:
            return Found(None)
        if texts and not positional and self.is_scalar(name):
            return self.edited(name, texts[0])
        manner, ifs, quoted, assigned = self.manner, self.ifs, self.manner.quoted, self.manner.assigned
        if operator == ":":
            texts = self.wrapped(name, self.slice(name, elements))
            if not texts:
                return Found(None)
        elif operator == "@":
            texts = self.wrapped(name, self.transformed_list(name, elements))
            quoted = quoted or (star == "*" and manner.starred and self.no_separator)
            assigned = False
        else:
            texts = self.edit(texts)
            if operator[0] in "#%":
                assigned = False
            elif operator[0] == "/" and positional and star == "*" and manner.single:
                assigned = True
            if (
                star == "*"
                and assigned
                and self.no_separator
                and (manner.starred or operator[0] != "/" or not positional)
            ):
                quoted = True
        if operator == "@" and not positional and self.editor.operand_text() == "A" and len(texts) == 3:
            return self.finished(name, self.statement(texts))
        document = manner.document and operator[0] in ":#%@"
        if positional and node.indirect and operator[0] in ":@#%":
            fragments = spaced(texts, manner.quoted, self.span)
        else:
            fragments = placed(star == "*", texts, manner, quoted, ifs, self.span, assigned, document)
        if operator[0] in "#%" and not positional and manner.bare and self.no_separator:
            fragments = [f if f is None else (f[0], f[1], False) for f in fragments]  # bash guards what it has joined
        if positional and operator == "@" and self.editor.operand_text() == "A":
            fragments.insert(0, (Known("set -- ", Origin(self.span, "expansion", name)), False, True))
        return self.finished(name, fragments)

    def statement(self, words: Sequence[Text]) -> list[Fragment]:
        """`${name[@]@A}`: only the value in it is quoted."""
        start, equals, end = words[2].shown.partition("=")
        origin = Origin(self.span, "expansion", self.node.name)
        head = Known(f"{words[0].shown} {words[1].shown} {start}{equals}", origin)
        quoted = self.manner.quoted
        return [(head, False, True), (Known(end, origin), quoted, not quoted and not self.no_separator)]

    def note_elements(self, name: str, star: str) -> None:
        """Note a list, as `chk_atstar` does."""
        manner = self.manner
        if name in ("@", "*"):
            plain_star = star == "*" and self.node.end - self.node.start == 2
            if star == "@":
                self.note_list()
            elif (plain_star or self.node.indirect) and manner.bare and not manner.starred:
                self.lists = True
            return
        quoted = manner.quoted
        if not self.node.indirect:
            quoted = quoted or manner.assigned or (manner.starred and star == "*")
        if star == "@":
            if quoted:
                self.notes.quoted_lists = 1
            self.lists = True
        elif not quoted and not manner.pattern:
            self.lists = True

    def together(self, name: str, star: str, texts: Sequence[Text]) -> Found:
        """The elements as they are."""
        if not texts:
            return Found(None)
        manner = self.manner
        if name in ("@", "*"):
            fragments, null, spaces = of_parameters(star == "*", texts, manner, self.ifs, self.span)
            braced = self.node.end - self.node.start > 2
            return Found(fragments, null or (braced and manner.quoted and is_null(fragments)), spaces)
        fragments = of_array(star == "*", texts, not self.is_scalar(name), manner, self.ifs, self.span)
        return Found(fragments, manner.quoted and is_null(fragments))

    # --------------------------------------------------------------------------------------------- indirection

    def indirect(self) -> Found:
        node = self.node
        value = self.state.variables.get(node.name)
        if value is not None and value.reference and isinstance(value.content, Text):
            return self.emit_plain(value.content)
        text = self.value(node.name, node.subscript)
        if text is None:
            if value is None and node.name.isidentifier():
                raise Reported(f"{node.name}: invalid indirect expansion")
            return self.one_of(node.name, node.subscript, None)
        target = text.value
        if target is None:
            origin = derive(self.span, "expansion", node.name, tuple(p.origin for p in text.pieces[:4]))
            return Found(self.fragments(node.name, Text((Unknown(f"variable named by {text.brief}", origin),))))
        found = _TARGET.match(target)
        if found is None:
            raise Rejected(f"{target}: invalid variable name")
        name, subscript = found[1] or found[3], found[2]
        if subscript in ("@", "*") or (subscript is None and name in ("@", "*")):
            return self.many(name, subscript or name)
        key = None if subscript is None else self.expander.subscript(self.state, name, subscript, self.span)
        return self.one(name, key)
