"""Hydra's override grammar: one word of a command line -> prefix, key, package, value.

Plain scalars, quoted strings, lists and dicts of them (all but a few of the overrides in verl's tree) are read here by
regular expressions that follow the token rules of hydra-core 1.3 (`grammar/OverrideLexer.g4`); everything else goes to
hydra-core's own parser, which is imported only then. A test holds both to the same result.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import Any, cast

from lint.frozen import frozen
from lint.launch.launch import Prefix
from lint.launch.refusal import Refusal, explain
from lint.regular import regular

MOST_VALUES = 100  # of a sweep: more are not listed
USUAL_WORD = 200  # characters: longer ones are not remembered
LONGEST_WORD = 131_071
"""Bytes: Linux refuses to start a program with a longer argument (MAX_ARG_STRLEN is 32 pages, with the final NUL)."""


@frozen
class ParsedOverride:
    """What Hydra reads in one word. `value` is plain data; None with `deletes_any` is `~key` without a value.

    `sweep` is how a value sweeps (`choice`, `range`, `glob`, `interval`), None if it does not; `value` is then None,
    and `values` are what a choice or range sweeps over, each as it is written behind the `=`.
    """

    prefix: Prefix
    key: str
    package: str | None
    value: Any
    deletes_any: bool = False
    sweep: str | None = None
    values: tuple[str, ...] = ()


class BadOverride(Exception):
    """The word is not an override, and why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


_NAME = r"[A-Za-z_][A-Za-z0-9_-]*"
_INDEX = r"(?:0|[1-9](?:_?[0-9])*)"
_PACKAGE = rf"(?:(?:{_NAME}|{_INDEX})(?:\.(?:{_NAME}|{_INDEX}))+|{_NAME})"
_KEY = regular(rf"(\+\+|\+|~)?({_NAME}(?:/{_NAME})+|{_PACKAGE})(?:@({_PACKAGE}))?(=)?")
_LETTER = r"[A-Za-z0-9_/\-+.$%*@?| \t]"
_ESCAPED = r"\\[\\()\[\]{}:=, \t]"
_PLAIN = regular(rf"(?![ \t])(?:{_LETTER}|:|\$\{{[^{{}}]+\}}|{_ESCAPED})+(?<![ \t])")
_INTEGER = regular(rf"[+-]?{_INDEX}")
_POINT = rf"(?:{_INDEX}\.|{_INDEX}?\.[0-9](?:_?[0-9])*)"
_FLOAT = regular(
    rf"[+-]?(?:(?:{_INDEX}\.[0-9](?:_?[0-9])*|{_POINT}|{_INDEX})[eE][+-]?[0-9](?:_?[0-9])*|{_POINT}"
    r"|[Ii][Nn][Ff]|[Nn][Aa][Nn])"
)
_QUOTED = regular(r"'[^'\\]*'|\"[^\"\\]*\"")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}

_RUN = regular(rf"'[^'\\]*'|\"[^\"\\]*\"|(?:{_LETTER}|:|\$\{{[^{{}}]+\}}|{_ESCAPED})+")
_KEY_RUN = regular(rf"(?:{_LETTER}|{_ESCAPED})+")
_BLANKS = regular(r"[ \t]*")
_DEEPEST = 20  # lists and dicts inside each other
_SLOW = object()
_NOT_EVALUATED = regular(r"\w+ while evaluating '(.*)': (.*)", re.DOTALL)


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
        said = f"{len(word)} characters: no program can be started with an argument of over {LONGEST_WORD}"
        raise BadOverride(Refusal(said, 0, len(word), "put the value into a config file"))
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
        raise BadOverride(explain(word) or _not_evaluated(word, str(error))) from None
    except (ValueError, RecursionError, AssertionError, TypeError) as error:
        said = f"Hydra cannot read it ({type(error).__name__})"
        raise BadOverride(explain(word) or Refusal(said, 0, len(word), "write a simpler value")) from None
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
        values=_swept(parsed) if sweep in ("choice", "range") else (),
    )


def _swept(parsed: Any) -> tuple[str, ...]:
    """The values of a sweep in an override of Hydra's parser, in the order of the sweep."""
    if getattr(parsed.value(), "shuffle", False):
        parsed.value().shuffle = False  # no order is the same each time, and Hydra would make the whole list first
    return tuple(islice(parsed.sweep_string_iterator(), MOST_VALUES))


def _not_evaluated(word: str, message: str) -> Refusal:
    """A word that has the form of an override, with a function that there is not or that does not take its values."""
    found = _NOT_EVALUATED.match(message)
    if found is None:
        return Refusal(f"Hydra cannot read it: {message.partition(chr(10))[0]}", 0, len(word), "write a simpler value")
    call, said = found.groups()
    start = max(word.find(call.partition("(")[0], word.find("=")), 0)
    if said.startswith("Unknown function"):
        name = call.partition("(")[0]
        help = "quote the value for Hydra if no function is meant: 'key=\"value\"'"
        return Refusal(f"Hydra has no function `{name}`", start, start + len(name), help)
    return Refusal(
        f"Hydra cannot evaluate `{call}`: {said}", start, len(word), "write the values that the function takes"
    )
