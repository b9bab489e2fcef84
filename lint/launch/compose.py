"""Composes a launch: schema defaults plus overrides, and Hydra's verdict on each override.

Hydra stops at the first override that it refuses. We go on, so that one reading of a script names every mistake; the
first problem of `Composition.problems` is the one that Hydra would name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from lint.bash.reading import Known, Text
from lint.launch.apply import Refused, apply
from lint.launch.config import ABSENT, MISSING, UNKNOWN, Config, Setting
from lint.launch.hydra_node import is_hydra_key, refused_by_hydra
from lint.launch.interpolation import Resolver, Unresolvable, followed_key
from lint.launch.launch import Launch, Override
from lint.launch.override import BadOverride, ParsedOverride, parse
from lint.launch.primary import Primary, Unchecked, primary_of
from lint.schema.defaults import Choices, NotComposed
from lint.schema.schema import Schema
from lint.schema.tree import MISSING_TEXT, Composed, Tree, compose_tree, copy_tree, leaves

Cause = Literal[
    "unrecognized-argument",  # argparse of Hydra refuses the word
    "syntax",  # not an override, or not Hydra's grammar
    "sweep",  # several values without --multirun
    "no-entry-point",  # the release has no such module
    "no-config-folder",
    "no-primary",  # the release has no such primary config
    "no-config",
    "no-option",  # the group has no such option
    "no-group",  # the group is not in the defaults list
    "no-deletion",
    "group-value",  # a group takes a name or a list of names
    "forced-group",  # `++group=option`
    "ambiguous",
    "malformed",
    "not-a-group",  # `key@package=value`, but there is no such group
    "unknown-key",
    "already-there",
    "not-there",
    "other-value",
    "not-a-node",
    "bad-interpolation",
    "hydra",  # an override of Hydra's own node that its types refuse
]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that Hydra refuses. `key` is what it stumbles over; `options` is what it would take instead."""

    cause: Cause
    message: str
    override: Override | None = None
    key: str | None = None
    index: int | None = None  # of the word in argv
    present: Any = None
    options: tuple[str, ...] = ()
    offset: int | None = None  # in the word, for a syntax error


@dataclass(frozen=True)
class Composition:
    """The effective config of a launch, and what Hydra refuses.

    `tree` is the composed tree with interpolations unresolved, `base` the same without overrides of keys.
    `unchecked` says why a launch could not be composed at all; its config is then empty.
    """

    config: Config
    problems: tuple[Problem, ...]
    schema: Schema
    tree: Tree = field(default_factory=dict)
    base: Tree = field(default_factory=dict)
    parsed: Mapping[int, ParsedOverride] = field(default_factory=dict)  # index in argv -> override
    choices: Mapping[str, str | None] = field(default_factory=dict)  # override key of each group -> option
    primary: Primary | None = None
    unchecked: str | None = None

    @property
    def rejected(self) -> Problem | None:
        """The problem that Hydra would end with, None if it composes the launch."""
        return self.problems[0] if self.problems else None


def compose(launch: Launch, schema: Schema) -> Composition:
    """Compose a launch with the configs of one release."""
    problems = [_unrecognized(launch, index) for index in launch.other if launch.command.words[index].value is not None]
    found = primary_of(launch, schema)
    if isinstance(found, Unchecked):
        return Composition(Config({}), tuple(problems), schema, unchecked=found.reason)
    parsed, refused = _parse_all(launch)
    problems.extend(refused)
    if not isinstance(found, Primary):
        return Composition(Config({}), (*problems, Problem(found.cause, found.message, key=found.key)), schema)
    problems.extend(_sweeps(launch, parsed))
    groups = _group_choices(found, launch, parsed, problems)
    if isinstance(groups, Unchecked):
        return Composition(Config({}), tuple(problems), schema, parsed=parsed, primary=found, unchecked=groups.reason)
    choices, rest = groups
    composed = _compose(found, choices, launch, parsed, problems)
    if composed is None:
        return Composition(Config({}), tuple(problems), schema, parsed=parsed, primary=found)
    tree = copy_tree(composed.tree)
    environment = {name: _environment_value(text) for name, text in launch.environment.items()}
    owners: dict[str, Override] = {}
    for override in rest:
        problem = _apply(tree, override, parsed[override.index], environment)
        if problem is None:
            _own(owners, override)
        else:
            problems.append(problem)
    problems.extend(_hydra_problems(launch, parsed))
    settings = Settings(tree, composed.tree, owners, environment)
    return Composition(
        Config(settings), tuple(problems), schema, tree, composed.tree, parsed, composed.defaults.choices, found
    )


# -------------------------------------------------------------------------------------------------- reading words


def _unrecognized(launch: Launch, index: int) -> Problem:
    word = launch.command.words[index].shown
    if "=" not in word and not word.startswith("-"):
        return Problem("syntax", "a word without `=` is not an override", key=word, index=index)
    return Problem("unrecognized-argument", f"unrecognized argument `{word}`", key=word, index=index)


def _parse_all(launch: Launch) -> tuple[dict[int, ParsedOverride], list[Problem]]:
    """Every override of the launch as Hydra reads it; one with an unknown value keeps its key."""
    parsed: dict[int, ParsedOverride] = {}
    problems: list[Problem] = []
    for override in launch.overrides:
        word = launch.command.words[override.index].value
        try:
            if word is not None and not has_unset(override.value):
                parsed[override.index] = parse(word)
            else:
                package = f"@{override.package}" if override.package is not None else ""
                read = parse(f"{override.prefix}{override.key}{package}=unknown")
                parsed[override.index] = ParsedOverride(read.prefix, read.key, read.package, UNKNOWN)
        except BadOverride as error:
            problems.append(
                Problem("syntax", error.message, override, override.key, override.index, offset=error.offset)
            )
    return parsed, problems


def has_unset(text: Text | None) -> bool:
    """True if a piece of a value comes from a variable that nothing sets: rules must not take it for empty."""
    return text is not None and any(isinstance(piece, Known) and _ends_unset(piece.origin) for piece in text.pieces)


def _ends_unset(origin: Any) -> bool:
    return origin.kind == "unset" or (len(origin.sources) == 1 and _ends_unset(origin.sources[0]))


def _sweeps(launch: Launch, parsed: Mapping[int, ParsedOverride]) -> Iterator[Problem]:
    if launch.multirun:
        return
    for override in launch.overrides:
        read = parsed.get(override.index)
        if read is not None and read.sweep is not None:
            yield Problem(
                "sweep",
                f"`{override.key}` has several values, which needs --multirun",
                override,
                read.key,
                override.index,
            )


# --------------------------------------------------------------------------------------------------------- groups


def _group_choices(
    primary: Primary, launch: Launch, parsed: Mapping[int, ParsedOverride], problems: list[Problem]
) -> tuple[Choices, list[Override]] | Unchecked:
    """The overrides that choose config groups, and those that are left for keys."""
    chosen: dict[str, str | list[str]] = {}
    appended: list[tuple[str, str | None, str | list[str]]] = []
    deleted: dict[str, str | None] = {}
    rest: list[Override] = []
    for override in launch.overrides:
        read = parsed.get(override.index)
        if read is None or is_hydra_key(read.key):
            continue
        if isinstance(read.value, dict) or not primary.search_path.is_group(read.key):
            rest.append(override)
            continue
        key = read.key if read.package is None else f"{read.key}@{read.package}"
        if read.value is UNKNOWN or (read.sweep is not None and launch.multirun):
            return Unchecked(f"the option of config group {key} is not known")
        if read.sweep is not None:
            continue
        if read.prefix == "++":
            problems.append(_group_problem("forced-group", f"a config group cannot be forced: {key}", override, key))
        elif read.prefix == "~":
            deleted[key] = read.value if isinstance(read.value, str) else None
        elif not isinstance(read.value, (str, list)):
            problems.append(
                _group_problem("group-value", f"config group {key} takes the name of an option", override, key)
            )
        elif read.prefix == "+":
            appended.append((read.key, read.package, read.value))
        else:
            chosen[key] = read.value
    return Choices(chosen, tuple(appended), deleted), rest


def _group_problem(cause: Cause, message: str, override: Override, key: str) -> Problem:
    return Problem(cause, message, override, key, override.index)


def _compose(
    primary: Primary,
    choices: Choices,
    launch: Launch,
    parsed: Mapping[int, ParsedOverride],
    problems: list[Problem],
) -> Composed | None:
    """The tree under the choices; without those that Hydra refuses, so that keys can still be checked."""
    try:
        return _remembered(primary, _Frozen(choices))
    except NotComposed as error:
        at = _chosen_by(error.key, launch, parsed)
        index = None if at is None else at.index
        problems.append(Problem(error.cause, error.message, at, error.key, index, options=error.options))
    if at is None or error_is_fatal(at, choices):
        return None
    kept = Choices({key: name for key, name in choices.chosen.items() if key != problems[-1].key})
    try:
        return _remembered(primary, _Frozen(kept))
    except NotComposed:
        return None


def error_is_fatal(override: Override, choices: Choices) -> bool:
    """A wrong engine changes most keys: nothing can be said of them then."""
    return override.key == "model_engine" or not choices.chosen


def _chosen_by(key: str | None, launch: Launch, parsed: Mapping[int, ParsedOverride]) -> Override | None:
    for override in reversed(launch.overrides):
        read = parsed.get(override.index)
        if read is not None and key in (read.key, f"{read.key}@{read.package}"):
            return override
    return None


@dataclass(frozen=True, eq=False)
class _Frozen:
    """Choices that can be a key of the memory."""

    choices: Choices

    @property
    def _identity(self) -> str:
        return repr((sorted(self.choices.chosen.items()), self.choices.appended, sorted(self.choices.deleted.items())))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Frozen) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)


@lru_cache(maxsize=64)
def _remembered(primary: Primary, frozen: _Frozen) -> Composed:
    return compose_tree(primary.search_path, primary.config_name, frozen.choices)


# ----------------------------------------------------------------------------------------------------------- keys


def _apply(tree: Tree, override: Override, read: ParsedOverride, environment: Mapping[str, Any]) -> Problem | None:
    if read.package is not None:
        message = f"`{read.key}@{read.package}` looks like a config group, but there is no group `{read.key}`"
        return Problem("not-a-group", message, override, read.key, override.index)
    value = UNKNOWN if read.sweep is not None else read.value
    try:
        apply(tree, read, value, environment)
    except Refused as refused:
        return Problem(refused.reason, _MESSAGES[refused.reason].format(refused.key), override, refused.key,
                       override.index, refused.present)  # fmt: skip
    return None


_MESSAGES: dict[str, str] = {
    "unknown-key": "no key `{}`",
    "already-there": "`{}` exists already",
    "not-there": "`{}` does not exist",
    "other-value": "`{}` has another value",
    "not-a-node": "`{}` cannot hold that",
    "bad-interpolation": "the interpolation in `{}` cannot be resolved",
}


def _own(owners: dict[str, Override], override: Override) -> None:
    """Note who set a key; what was noted below it no longer stands (a dict value merges, but is the later word)."""
    dotted = override.key + "."
    for key in [key for key in owners if key.startswith(dotted)]:
        del owners[key]
    owners[override.key] = override


def _hydra_problems(launch: Launch, parsed: Mapping[int, ParsedOverride]) -> Iterator[Problem]:
    for override in launch.overrides:
        read = parsed.get(override.index)
        if read is not None and is_hydra_key(read.key) and read.value is not UNKNOWN:
            message = refused_by_hydra(read, launch.command.words[override.index].value or "")
            if message is not None:
                yield Problem("hydra", message, override, read.key, override.index)


def _environment_value(text: Text) -> Any:
    value = text.value
    return UNKNOWN if value is None else value


class Settings(Mapping[str, Setting]):
    """The settings of a composed tree, each made when it is asked for."""

    def __init__(self, tree: Tree, base: Tree, owners: Mapping[str, Override], environment: Mapping[str, Any]) -> None:
        self._raw = dict(leaves(tree))
        self._base = base
        self._owners = owners
        self._resolver = Resolver(tree, environment)
        self._default_resolver = Resolver(base, environment)
        self._made: dict[str, Setting] = {}

    def __getitem__(self, key: str) -> Setting:
        if key not in self._made:
            raw = self._raw[key]
            self._made[key] = Setting(
                key, _resolved(self._resolver, raw, key), self._owner(key), self._default(key), followed_key(raw, key)
            )
        return self._made[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._raw)

    def __len__(self) -> int:
        return len(self._raw)

    def __contains__(self, key: object) -> bool:
        return key in self._raw

    def _owner(self, key: str) -> Override | None:
        while key:
            if key in self._owners:
                return self._owners[key]
            key = key.rpartition(".")[0]
        return None

    def _default(self, key: str) -> object:
        node: Any = self._base
        for part in key.split("."):
            if not isinstance(node, dict) or part not in node:
                return ABSENT
            node = node[part]
        return _resolved(self._default_resolver, node, key)


def _resolved(resolver: Resolver, raw: Any, key: str) -> object:
    """A leaf's value with interpolations followed; one that cannot be resolved is unknown."""
    try:
        value = resolver.resolve(raw, key)
    except Unresolvable:
        return UNKNOWN
    return MISSING if value == MISSING_TEXT else value
