"""Hydra's override grammar: one word of a command line -> prefix, key, package, value.

Plain scalars, quoted strings, lists and dicts of them (all but a few of the overrides in verl's tree) are read here by
regular expressions that follow the token rules of hydra-core 1.3 (`grammar/OverrideLexer.g4`); everything else goes to
hydra-core's own parser, which is imported only then. A test holds both to the same result.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, cast

from lint.frozen import frozen
from lint.launch.launch import Prefix

USUAL_WORD = 200  # characters: longer ones are not remembered
LONGEST_WORD = 131_071
"""Bytes: Linux refuses to start a program with a longer argument (MAX_ARG_STRLEN is 32 pages, with the final NUL)."""


@frozen
class ParsedOverride:
    """What Hydra reads in one word. `value` is plain data; None with `deletes_any` is `~key` without a value.

    `sweep` is how a value sweeps (`choice`, `range`, `glob`, `interval`), None if it does not; `value` is then None.
    """

    prefix: Prefix
    key: str
    package: str | None
    value: Any
    deletes_any: bool = False
    sweep: str | None = None


class BadOverride(Exception):
    """The word is not an override. `offset` is where Hydra's parser stops, None where it does not say."""

    def __init__(self, message: str, offset: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


_NAME = r"[A-Za-z_][A-Za-z0-9_-]*"
_INDEX = r"(?:0|[1-9](?:_?[0-9])*)"
_PACKAGE = rf"(?:(?:{_NAME}|{_INDEX})(?:\.(?:{_NAME}|{_INDEX}))+|{_NAME})"
_KEY = re.compile(rf"(\+\+|\+|~)?({_NAME}(?:/{_NAME})+|{_PACKAGE})(?:@({_PACKAGE}))?(=)?")
_LETTER = r"[A-Za-z0-9_/\-+.$%*@?| \t]"
_ESCAPED = r"\\[\\()\[\]{}:=, \t]"
_PLAIN = re.compile(rf"(?![ \t])(?:{_LETTER}|:|\$\{{[^{{}}]+\}}|{_ESCAPED})+(?<![ \t])")
_INTEGER = re.compile(rf"[+-]?{_INDEX}")
_POINT = rf"(?:{_INDEX}\.|{_INDEX}?\.[0-9](?:_?[0-9])*)"
_FLOAT = re.compile(
    rf"[+-]?(?:(?:{_INDEX}\.[0-9](?:_?[0-9])*|{_POINT}|{_INDEX})[eE][+-]?[0-9](?:_?[0-9])*|{_POINT}"
    r"|[Ii][Nn][Ff]|[Nn][Aa][Nn])"
)
_QUOTED = re.compile(r"'[^'\\]*'|\"[^\"\\]*\"")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}

_RUN = re.compile(rf"'[^'\\]*'|\"[^\"\\]*\"|(?:{_LETTER}|:|\$\{{[^{{}}]+\}}|{_ESCAPED})+")
_KEY_RUN = re.compile(rf"(?:{_LETTER}|{_ESCAPED})+")
_BLANKS = re.compile(r"[ \t]*")
_DEEPEST = 20  # lists and dicts inside each other
_SLOW = object()


class _Slow(Exception):
    """The text is left to Hydra's parser."""


def parse(word: str) -> ParsedOverride:
    """The override in a word. Its value is shared: nobody changes it. Raises `BadOverride` where Hydra refuses it."""
    return _remembered(word) if len(word) <= USUAL_WORD else _parse(word)


@lru_cache(maxsize=4096)  # the same words stand in many scripts, and in every scenario of one
def _remembered(word: str) -> ParsedOverride:
    return _parse(word)


def _parse(word: str) -> ParsedOverride:
    if len(word) > LONGEST_WORD:
        raise BadOverride(f"{len(word)} characters: no program can be started with an argument of over {LONGEST_WORD}")
    match = _KEY.match(word)
    if match is not None:
        prefix = cast(Prefix, match[1] or "")
        if match[4]:
            value = _value(word[match.end() :])
            if value is not _SLOW:
                return ParsedOverride(prefix, match[2], match[3], value)
        elif prefix == "~" and match.end() == len(word):
            return ParsedOverride("~", match[2], match[3], None, deletes_any=True)
    return _by_hydra(word)


def _value(text: str) -> Any:
    if not text:
        return ""
    if text[0] in "[{":
        try:
            value, end = _container(text, 0, 0)
        except _Slow:
            return _SLOW
        return value if end == len(text) else _SLOW
    return _scalar(text)


def _container(text: str, start: int, depth: int) -> tuple[Any, int]:
    """The list or dict that begins at an offset, and the offset behind it."""
    if depth > _DEEPEST:
        raise _Slow
    closing = "]" if text[start] == "[" else "}"
    items: list[Any] = []
    pairs: dict[Any, Any] = {}
    position = _past_blanks(text, start + 1)
    if text[position : position + 1] == closing:
        return (items if closing == "]" else pairs), position + 1
    while True:
        key = None
        if closing == "}":
            key, position = _run(text, position, _KEY_RUN)
            if text[position : position + 1] != ":":
                raise _Slow
            position = _past_blanks(text, position + 1)
        if text[position : position + 1] in ("[", "{"):
            value, position = _container(text, position, depth + 1)
            position = _past_blanks(text, position)
        else:
            value, position = _run(text, position, _RUN)
        items.append(value)
        if closing == "}":
            pairs[key] = value
        end = text[position : position + 1]
        if end == closing:
            return (items if closing == "]" else pairs), position + 1
        if end != ",":
            raise _Slow
        position = _past_blanks(text, position + 1)


def _past_blanks(text: str, position: int) -> int:
    match = _BLANKS.match(text, position)
    return position if match is None else match.end()


def _run(text: str, position: int, pattern: re.Pattern[str]) -> tuple[Any, int]:
    """The scalar at an offset, and the offset of what ends it. Blanks around it do not count, except by a colon."""
    match = pattern.match(text, position)
    if match is None:
        raise _Slow
    plain = match[0].strip(" \t")
    if not plain or (plain != match[0] and (plain[0] == ":" or plain[-1] in ":\\")):
        raise _Slow
    value = _scalar(plain)
    if value is _SLOW:
        raise _Slow
    return value, _past_blanks(text, match.end())


def _scalar(text: str) -> Any:
    if _QUOTED.fullmatch(text):
        return text[1:-1]
    if not _PLAIN.fullmatch(text) or len(text) > 4000:
        return _SLOW
    if "\\" in text:
        return re.sub(r"\\(.)", r"\1", text)
    lowered = text.lower()
    if lowered in _WORDS:
        return _WORDS[lowered]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


def _by_hydra(word: str) -> ParsedOverride:
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.core.override_parser.types import OverrideType, ValueType
    from hydra.errors import HydraException

    try:
        parsed = OverridesParser.create().parse_override(word)
        value = parsed.value()
    except HydraException as error:
        raise BadOverride(*_explained(word, str(error), error.__cause__)) from None
    except (ValueError, RecursionError, AssertionError, TypeError) as error:
        raise BadOverride(f"Hydra cannot read it ({type(error).__name__})") from None
    prefixes: dict[OverrideType, Prefix] = {
        OverrideType.CHANGE: "",
        OverrideType.ADD: "+",
        OverrideType.FORCE_ADD: "++",
        OverrideType.DEL: "~",
    }
    sweeps = {
        ValueType.SIMPLE_CHOICE_SWEEP: "choice",
        ValueType.CHOICE_SWEEP: "choice",
        ValueType.GLOB_CHOICE_SWEEP: "glob",
        ValueType.RANGE_SWEEP: "range",
        ValueType.INTERVAL_SWEEP: "interval",
    }
    kind = parsed.value_type
    sweep = None if kind is None else sweeps.get(kind)
    return ParsedOverride(
        prefixes[parsed.type],
        parsed.key_or_group,
        parsed.package,
        None if sweep else value,
        deletes_any=kind is None,
        sweep=sweep,
    )


def _explained(word: str, message: str, cause: BaseException | None) -> tuple[str, int | None]:
    """The parser's complaint in words, and where it stops."""
    start = getattr(cause, "startIndex", None)
    if start is None:
        token = getattr(cause, "offendingToken", None)
        start = getattr(token, "start", None)
    if "=" not in word:
        return "a word without `=` is not an override", None
    if isinstance(start, int) and 0 <= start < len(word):
        return f"Hydra cannot read it from `{word[start : start + 20]}` on", start
    return f"Hydra cannot read it: {message.splitlines()[0] if message else 'syntax error'}", None
