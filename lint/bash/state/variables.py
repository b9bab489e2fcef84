"""The variables of a shell: attributes, arrays, namerefs, `local` scopes, and the ones bash computes itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from lint.bash.budget import TEXT
from lint.bash.commands.writing import complain
from lint.bash.faults import Rejected, fatal
from lint.bash.letters import lower, upper
from lint.bash.origins import derive, origins_of
from lint.bash.reading import Known, Origin, Piece, Text, Unknown
from lint.bash.state.complaints import (
    AssignmentFault,
    BadSubscript,
    bad_subscript,
    check_writable,
    ends_at_complaints,
)
from lint.bash.state.key_order import ordered
from lint.bash.state.state import Flow, State, Value
from lint.bash.state.unknown_values import unknown_array
from lint.bash.unknown import ELEMENT_OF, NUMBERS, places_of_lists
from lint.bash.words.arithmetic import Number, evaluated
from lint.bash.words.arithmetic_tokens import LastingFault, ValueFault
from lint.bash.words.arithmetic_tokens import wrap as wrap_integer
from lint.bash.words.special import COMPUTED, MACHINE, computed_array, computed_scalar, machine_value
from lint.bash.words.subscripts import is_expanded, unquoted
from lint.regular import regular
from lint.text import Span

# -------------------------------------------------------------------------------------------------------- look-up


def resolve(state: State, name: str) -> tuple[str, str | None]:
    """The variable that a name stands for, through namerefs, and the subscript the last of them carries."""
    for _ in range(10):
        value = state.variables.get(name)
        if value is None or not value.reference or not isinstance(value.content, Text):
            break
        target = value.content.value
        if not target:
            break
        if target.endswith("]") and "[" in target:
            base, _, subscript = target[:-1].partition("[")
            is_key = base in state.variables and state.variables[base].kind == "associative"
            return base, unquoted(subscript) if is_key else subscript
        name = target
    return name, None


_IN_QUOTES = regular(r'^"([^"\\]*)"$')
_EXPANDED = regular(r"\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})", re.ASCII)


def key_of(state: State, name: str, subscript: str, span: Span) -> Text:
    """The subscript of an element that a nameref stands for, in which variables are expanded each time."""
    origin = Origin(span, "expansion", name)
    pieces: list[Piece] = []
    subscript, place = _IN_QUOTES.sub(r"\1", subscript), 0
    for found in _EXPANDED.finditer(subscript):
        value = scalar(state, found[1] or found[2], span)
        pieces += [Known(subscript[place : found.start()], origin), *(value.pieces if value is not None else ())]
        place = found.end()
    rest = subscript[place:]
    if is_expanded(_EXPANDED.sub("", subscript)):
        return Text((Unknown(f"subscript of the element that {name} names", origin),))
    return Text((*pieces, Known(rest, origin)))


def is_machine(state: State, name: str) -> bool:
    """Whether a variable's value is the machine's: the script never assigned it."""
    return name in MACHINE and name not in state.variables


def scalar(state: State, name: str, span: Span) -> Text | None:
    """The value of `$name` for an identifier, before it is wrapped; None if it is unset."""
    value = state.variables.get(name)
    if value is not None and not value.reference:
        return value.scalar()
    if value is not None:
        target, subscript = resolve(state, name)
        if subscript in ("@", "*"):
            several = Unknown(f"elements of {target}", Origin(span, "expansion", name), splits=subscript == "@")
            return Text((several,)) if array(state, target, span) else None
        if subscript is not None:
            return element(state, target, key_of(state, name, subscript, span), span)
        if target == name:
            return value.scalar()
        return scalar(state, target, span)
    if name in COMPUTED:
        elements = computed_array(state, name, span)
        return elements.get(0) if elements is not None else computed_scalar(state, name, span)
    return machine_value(name, span) if name in MACHINE else state.outside.value(name, span)


def array(state: State, name: str, span: Span) -> Mapping[int, Text] | Mapping[str, Text]:
    """The elements of `${name[@]}`; a scalar is an array of one."""
    name, subscript = resolve(state, name)
    value = state.variables.get(name)
    if value is None:
        computed = computed_array(state, name, span)
        if computed is not None:
            return computed
        text = scalar(state, name, span)
        return {} if text is None else {0: text}
    if subscript is not None and subscript not in "@*":
        return {}  # bash looks for a variable that is called so
    if isinstance(value.content, Text):
        return {0: value.content}
    return {} if value.content is None else value.content


def element(state: State, name: str, subscript: Text, span: Span, measured: bool = False) -> Text | None:
    """The value of `${name[subscript]}`. `measured`: its length is asked for, where bash bears no bad subscript."""
    name, _ = resolve(state, name)
    value = state.variables.get(name)
    if measured and value is None:
        return None
    first = next(iter(value.content.pieces), None) if value is not None and isinstance(value.content, Text) else None
    if isinstance(first, Unknown) and first.splits:  # see `unknown_array`
        return Text((replace(first, splits=False),))
    strict = measured or "errexit" in state.options
    unknown = next((piece for piece in subscript.pieces if isinstance(piece, Unknown)), None)
    if value is not None and value.kind == "associative" and not isinstance(value.content, Text):
        if unknown is not None:
            return Text((Unknown(f"{ELEMENT_OF} {name} at {unknown.reason}", unknown.origin),))
        if subscript.value == "" and strict:
            raise Rejected(f"{name}: bad array subscript")
        if subscript.value == "":
            complain(state, span)
        keyed: Mapping[object, Text] = value.content or {}  # type: ignore[assignment]
        return keyed.get(subscript.value)
    if is_machine(state, name):
        return machine_value(name, span)
    elements: Mapping[object, Text] = array(state, name, span)  # type: ignore[assignment]
    index = evaluated(subscript, Scope(state, span))
    lists = places_of_lists(elements)  # type: ignore[arg-type]
    if isinstance(index, int) and index < 0:
        last = max((int(str(key)) for key in elements), default=-1)
        if index + last + 1 < 0 or (value is not None and value.kind == "scalar"):  # only an array has an end
            if strict:
                raise Rejected(f"{name}[{subscript.shown}]: bad array subscript")
            complain(state, span)
            return None
        index += last + 1
        lists = [] if lists and index > lists[-1] else [-1] * len(lists)  # counted from the end
    if not elements:
        return None
    if isinstance(index, Unknown):
        return Text((Unknown(f"{ELEMENT_OF} {name} at {index.reason}", index.origin),))
    if lists and index >= lists[0]:
        origin = derive(span, "expansion", name, origins_of(elements.values()))
        return Text((Unknown(f"{ELEMENT_OF} {name}, which has an unknown number of them", origin),))
    return elements.get(index)


# ----------------------------------------------------------------------------------------------------- assignment


Expand: TypeAlias = "Callable[[State, str, str, Span], Text] | None"


@dataclass(slots=True)
class Scope:
    """The variables as arithmetic sees them; `origins` collects where its operands come from."""

    state: State
    span: Span
    expand: Expand = None  # a subscript in a text: see `Expander.subscript`
    origins: list[Origin] = field(default_factory=list)
    taken: int = 0

    def get(self, name: str, subscript: str | Unknown | None) -> Text | None:
        state = self.state
        state.work += 2
        if subscript is None:
            text = scalar(state, name, self.span) or state.outside.elsewhere(name, self.span, state.variables)
        elif subscript == "":  # bash complains, and takes it for a variable that is not set
            if "nounset" in state.options:
                raise Unbound(name, self.span)
            if ends_at_complaints(state):
                raise Rejected(f"{name}[]: bad array subscript")
            complain(state, self.span)
            return None
        elif subscript in ("@", "*"):
            texts = [item for _, item in ordered(array(state, name, self.span))]
            text = Text(tuple(piece for item in texts for piece in item.pieces)) if len(texts) == 1 else None
        else:
            text = element(state, name, self._subscript(name, subscript), self.span)
        if text is None:
            value = state.variables.get(resolve(state, name)[0])
            if "nounset" in state.options and (value is None or value.content is None):
                raise Unbound(name, self.span)
            if len(self.origins) < 16:
                self.origins.append(Origin(self.span, "unset", name))
            return None
        if len(self.origins) < 16:
            self.origins.extend(derive(self.span, "expansion", name, (piece.origin,)) for piece in text.pieces[:4])
        return text

    def place(self, name: str, subscript: str) -> str:
        """The subscript as a number where it is one that is known."""
        variable = self.state.variables.get(resolve(self.state, name)[0])
        if subscript in ("", "@", "*") or (variable is not None and variable.kind == "associative"):
            return subscript
        index = evaluated(self._subscript(name, subscript), self)
        return str(index) if isinstance(index, int) else subscript

    def set(self, name: str, subscript: str | Unknown | None, value: Number) -> None:
        text = number_text(value, derive(self.span, "arithmetic", None, tuple(self.origins)))
        try:
            if subscript == "":
                return complain(self.state, self.span)
            assign(self.state, name, None if subscript is None else self._subscript(name, subscript), text, self.span)
        except BadSubscript as fault:  # bash complains, and goes on with the value
            if "errexit" in self.state.options:
                raise fatal(fault) from None

    def doubt(self) -> None:
        self.state.doubt(Flow("discard"))

    def _subscript(self, name: str, subscript: str | Unknown) -> Text:
        if isinstance(subscript, Unknown):
            return Text((subscript,))
        if self.expand is not None:
            return self.expand(self.state, name, subscript, self.span)
        return Text((Known(subscript, Origin(self.span, "expansion")),))


class Unbound(Exception):
    """A variable that is not set, used under `set -u`."""

    def __init__(self, name: str, span: Span, message: str = "unbound variable") -> None:
        super().__init__(name)
        self.name = name
        self.span = span
        self.message = message


def number_text(value: Number, origin: Origin) -> Text:
    """The result of arithmetic as text."""
    if isinstance(value, Unknown):
        return Text((Unknown(value.reason, origin, characters=NUMBERS),))
    return Text((Known(str(value), origin),))


def assign(
    state: State, name: str, subscript: Text | None, text: Text, span: Span, append: bool = False, expand: Expand = None
) -> None:
    """`name=text`, `name[subscript]=text`, with `+=` for `append`. Raises AssignmentFault.

    `expand`: what a subscript in the value of an integer is expanded with.
    """
    if name in COMPUTED and name in ("LINENO", "FUNCNAME", "BASH_SOURCE", "BASH_LINENO", "PIPESTATUS"):
        return
    name, own = resolve(state, name)
    if own is not None:
        if subscript is not None:
            raise AssignmentFault(f"{name}[{own}]: not a valid identifier")
        subscript = key_of(state, name, own, span)
    value = state.variables.get(name)
    if value is None:
        value = Value(None, exported="allexport" in state.options, integer=name == "OPTIND")
        if append and name in MACHINE:
            value = value._replace(content=scalar(state, name, span))
        if name in ALWAYS_EXPORTED:
            value = value._replace(exported=True)
    check_writable(state, name)
    if subscript is None and not isinstance(value.content, Text) and value.kind != "scalar":
        origin = Origin(span, "expansion", name)
        subscript = Text((Known("0", origin),))
    if subscript is None:
        old = value.scalar() if append else None
        content: Text | dict[int, Text] | dict[str, Text] = converted(state, value, old, text, span, expand)
        fresh = value.holding(content, "scalar")
        if "allexport" in state.options:
            fresh = fresh._replace(exported=True)
    else:
        fresh = _with_element(state, name, value, subscript, text, span, append)
    state.variables[name] = fresh
    if name == "OPTIND":
        state.option_index = (0, 0)


ALWAYS_EXPORTED = frozenset(("HOME", "PATH", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "PWD", "OLDPWD", "SHLVL"))


def _with_element(
    state: State, name: str, value: Value, subscript: Text, text: Text, span: Span, append: bool
) -> Value:
    if value.kind == "associative":
        key = subscript.value
        if key is None:
            return unknown_array(value, f"an element of {name} whose key is not known was set", span)
        if not key:
            raise bad_subscript(state, f"{name}[]: bad array subscript")
        keyed: dict[str, Text] = dict(_elements(value))  # type: ignore[arg-type]
        keyed[key] = converted(state, value, keyed.get(key) if append else None, text, span)
        return value.holding(keyed, "associative")
    index = evaluated(subscript, Scope(state, span))
    if isinstance(index, Unknown):
        return unknown_array(value, f"an element of {name} whose index is not known was set", span)
    elements: dict[int, Text] = dict(_elements(value))  # type: ignore[assignment]
    lists = places_of_lists(elements)
    if lists and not 0 <= index < lists[0]:
        return unknown_array(value, f"an element of {name}, which has an unknown number of them, was set", span)
    if index < 0:
        index += max(elements, default=-1) + 1
        if index < 0:
            raise bad_subscript(state, f"{name}[{subscript.shown}]: bad array subscript")
    elements[index] = converted(state, value, elements.get(index) if append else None, text, span)
    return value.holding(elements, "indexed")


def _elements(value: Value) -> Mapping[int, Text] | Mapping[str, Text]:
    if isinstance(value.content, Text):
        return {0: value.content}
    return value.content or {}


def converted(state: State, value: Value, old: Text | None, text: Text, span: Span, expand: Expand = None) -> Text:
    """What an assignment stores, given the variable's attributes and, for `+=`, the text that is already there."""
    if value.integer:
        return _integer(old, text, Scope(state, span, expand))
    if old is not None:
        text = bounded(Text(old.pieces + text.pieces), span)
    if value.case:
        begin = True  # of a text with a capital
        pieces: list[Piece] = []
        for piece in text.pieces:
            pieces.append(_cased(piece, "lower" if value.case == "capital" and not begin else value.case))
            begin = begin and isinstance(piece, Known) and not piece.text
        text = Text(tuple(pieces))
    return text


LONGEST_PIECES = 1_000


def bounded(text: Text, span: Span) -> Text:
    """The text with fewer pieces, once there are very many of them; unknown where it is too long to read."""
    if len(text.pieces) <= LONGEST_PIECES:
        return text
    if unknown := next((piece for piece in text.pieces if isinstance(piece, Unknown)), None):
        return Text((unknown,))
    origin = derive(span, "expansion", None, tuple(piece.origin for piece in text.pieces[:16]))
    too_long = text.size > TEXT
    return Text((Unknown("value too long to read", origin) if too_long else Known(str(text.value), origin),))


def _integer(old: Text | None, text: Text, scope: Scope) -> Text:
    try:
        result = evaluated(text, scope)
        base = evaluated(old, scope) if old is not None else 0
    except LastingFault as fault:
        rejected = ValueFault(str(fault))
        rejected.span = fault.span
        raise rejected from None
    if old is not None:
        if isinstance(base, Unknown):
            result = base
        elif not isinstance(result, Unknown):
            result = wrap_integer(base + result)
    sources = tuple(piece.origin for piece in text.pieces) + tuple(scope.origins)
    return number_text(result, derive(scope.span, "arithmetic", None, sources))


def _cased(piece: Piece, case: str) -> Piece:
    if isinstance(piece, Unknown):
        return piece
    text = piece.text
    if case == "capital":
        return Known("".join([*map(upper, text[:1]), *map(lower, text[1:])]), piece.origin)
    return Known("".join(map(upper if case == "upper" else lower, text)), piece.origin)
