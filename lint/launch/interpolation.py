"""OmegaConf's interpolations: `${a.b}`, `${.sibling}`, `${oc.select:a.b,default}`, `${oc.env:NAME,default}`.

`resolve` follows them through a config tree. What only a run could tell (a resolver of the program, an environment
variable that the script does not set) is `UNKNOWN`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from lint.bash.numbers import whole
from lint.frozen import frozen
from lint.launch.config import UNKNOWN
from lint.regular import regular
from lint.schema.tree import MISSING_TEXT

_SIMPLE = regular(r"\$\{\.*[A-Za-z_][\w-]*(?:\.[\w-]+|\[[\w-]+\])*\}|\$\{[A-Za-z_][\w.]*:[^${}'\"\\\[\]()]*\}")
_DEEPEST = 40  # hops: a longer chain is a cycle


class Unresolvable(Exception):
    """An interpolation that OmegaConf cannot resolve: its key does not exist, or it leads in a circle."""


@frozen
class Reference:
    """One `${...}`: a node by its key (`resolver` None) or a resolver with its arguments, as written."""

    resolver: str | None
    key: str
    arguments: tuple[str, ...] = ()


def is_interpolation(value: object) -> bool:
    """True for text that OmegaConf would resolve."""
    return isinstance(value, str) and "${" in value


def is_valid(text: str) -> bool:
    """True if OmegaConf can read every interpolation in a text."""
    if "${" not in _SIMPLE.sub("", text) and "\\" not in text:
        return True
    from omegaconf.errors import GrammarParseError
    from omegaconf.grammar_parser import parse

    try:
        parse(text)
    except (GrammarParseError, RecursionError):
        return False
    return True


def followed_key(value: object, at: str) -> str | None:
    """The absolute key that a value follows if it is exactly one `${key}` or `${oc.select:key...}`, else None.

    `at` is the key where the value stands.
    """
    if not isinstance(value, str) or not value.startswith("${"):
        return None
    parts = list(_parts(value))
    if len(parts) != 1 or not isinstance(parts[0], Reference):
        return None
    reference = parts[0]
    if reference.resolver is None:
        return _absolute(reference.key, at)
    if reference.resolver == "oc.select" and reference.arguments and "${" not in reference.arguments[0]:
        return _absolute(reference.arguments[0].strip(), at)
    return None


class Resolver:
    """Follows interpolations through one tree; `environment` are the variables that the launch sets."""

    def __init__(self, tree: Mapping[str, Any], environment: Mapping[str, Any]) -> None:
        self.tree = tree
        self.environment = environment

    def select(self, key: str) -> Any:
        """What `OmegaConf.select` gives: the value at a key, None if there is none. Raises `Unresolvable`."""
        found, value = self._find(key, 0)
        return None if not found or value == MISSING_TEXT else value

    def resolve(self, value: Any, at: str) -> Any:
        """A value with its interpolations followed; lists and dicts inside out. Raises `Unresolvable`."""
        return self._resolve(value, at, 0)

    def _find(self, key: str, depth: int) -> tuple[bool, Any]:
        node: Any = self.tree
        path = ""
        for part in split_key(key):
            if isinstance(node, dict):
                if part not in node:
                    return False, None
                node = node[part]
            elif isinstance(node, list):
                if not part.isdecimal():
                    raise Unresolvable(f"`{part}` is no index of a list")
                if whole(part) >= len(node):
                    return False, None
                node = node[whole(part)]
            elif node is UNKNOWN:
                return True, UNKNOWN
            else:
                return False, None
            path = f"{path}.{part}" if path else part
            if is_interpolation(node):
                node = self._text(node, path, depth + 1)
        return True, node

    def _resolve(self, value: Any, at: str, depth: int) -> Any:
        if is_interpolation(value):
            return self._text(value, at, depth + 1)
        if isinstance(value, dict):
            return {key: self._resolve(inner, f"{at}.{key}", depth) for key, inner in value.items()}
        if isinstance(value, list):
            return [self._resolve(inner, f"{at}.{place}", depth) for place, inner in enumerate(value)]
        return value

    def _text(self, text: str, at: str, depth: int) -> Any:
        if depth > _DEEPEST:
            raise Unresolvable(f"`{text}` leads in a circle")
        values = [
            part if isinstance(part, str) else self._reference(part, at, depth) if part is not None else UNKNOWN
            for part in _parts(text)
        ]
        if len(values) == 1:
            return values[0]
        return UNKNOWN if any(value is UNKNOWN for value in values) else "".join(str(value) for value in values)

    def _reference(self, reference: Reference, at: str, depth: int) -> Any:
        if reference.resolver is None:
            if "${" in reference.key:
                return UNKNOWN
            found, value = self._find(_absolute(reference.key, at), depth)
            if not found:
                raise Unresolvable(f"`{reference.key}` does not exist")
            return self._resolve(value, _absolute(reference.key, at), depth)
        if reference.resolver == "oc.select" and reference.arguments:
            key, *rest = reference.arguments
            if "${" in key:
                return UNKNOWN
            found, value = self._find(_absolute(key.strip(), at), depth)
            if found and value != MISSING_TEXT:
                return self._resolve(value, _absolute(key.strip(), at), depth)
            return self._argument(rest[0], at, depth) if rest else None
        if reference.resolver == "oc.env" and reference.arguments:
            return self.environment.get(reference.arguments[0].strip(), UNKNOWN)
        return UNKNOWN

    def _argument(self, text: str, at: str, depth: int) -> Any:
        text = text.strip()
        if is_interpolation(text):
            return self._text(text, at, depth + 1)
        return primitive(text)


def primitive(text: str) -> Any:
    """A resolver's argument as OmegaConf types it."""
    lowered = text.lower()
    if lowered in ("true", "false", "null"):
        return {"true": True, "false": False, "null": None}[lowered]
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    if re.fullmatch(r"[+-]?(0|[1-9](_?\d)*)", text):
        return whole(text)
    try:
        return float(text) if re.search(r"\d|inf|nan", lowered) else text
    except ValueError:
        return UNKNOWN if re.search(r"[\[\]{}\\]", text) else text


@lru_cache(maxsize=2048)  # the same keys in every launch
def split_key(key: str) -> tuple[str, ...]:
    """`a.b[0].c` -> a, b, 0, c."""
    return tuple(part for part in re.split(r"\.|\[|\]\.?", key) if part)


def _absolute(key: str, at: str) -> str:
    """An interpolation's key from the root: each leading dot is one level up from the node that holds it."""
    dots = len(key) - len(key.lstrip("."))
    if not dots:
        return key
    above = at.split(".")[:-dots]
    return ".".join((*above, key[dots:]))


@lru_cache(maxsize=8192)  # the same defaults stand in every launch
def _parts(text: str) -> tuple[str | Reference | None, ...]:
    return tuple(_cut(text))


def _cut(text: str) -> Iterator[str | Reference | None]:
    """Plain text and references, in order; None for a piece that is beyond this reader (escapes)."""
    position = 0
    while position < len(text):
        start = text.find("${", position)
        if start < 0:
            yield text[position:]
            return
        if start > position:
            yield None if text[start - 1] == "\\" else text[position:start]
        end = _closing(text, start + 2)
        if end is None:
            yield None
            return
        yield _reference(text[start + 2 : end])
        position = end + 1


def _closing(text: str, start: int) -> int | None:
    depth = 1
    for position in range(start, len(text)):
        if text[position] == "{":
            depth += 1
        elif text[position] == "}":
            depth -= 1
            if not depth:
                return position
    return None


def _reference(inner: str) -> Reference:
    match = re.match(r"([A-Za-z_][\w.]*):", inner)
    if match is None:
        return Reference(None, inner.strip())
    return Reference(match[1], "", tuple(_arguments(inner[match.end() :])))


def _arguments(text: str) -> Iterator[str]:
    """The arguments of a resolver: split at commas that are outside of brackets and quotes."""
    depth = start = 0
    quote = ""
    for position, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "{[(":
            depth += 1
        elif letter in "}])":
            depth -= 1
        elif letter == "," and not depth:
            yield text[start:position]
            start = position + 1
    yield text[start:]
