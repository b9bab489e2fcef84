"""Composes a launch: schema defaults plus overrides, and Hydra's verdict on each override.

Hydra stops at the first override that it refuses. We go on, so that one reading of a script names every mistake; the
first problem of `Composition.problems` is the one that Hydra would name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, get_args

from lint.bash.reading import Known, Origin, Text
from lint.launch.apply import Draft, Refused, apply
from lint.launch.config import UNKNOWN, Config
from lint.launch.effective import Defaults, EffectiveConfig, Settings, node_at
from lint.launch.groups import Parsed, choose, compose_base
from lint.launch.hydra_node import refused_by_hydra
from lint.launch.launch import Launch, Override
from lint.launch.override import BadOverride, ParsedOverride, parse
from lint.launch.primary import Primary, Unchecked, primary_of
from lint.launch.problem import Cause, Problem
from lint.schema.schema import Schema
from lint.schema.tree import Composed, Tree

OF_VERL = ("verl.", "recipe.")
"""Modules that read their command line with Hydra, whether their config is known or not; others may not."""

__all__ = ["Cause", "Composition", "Problem", "base_of", "compose"]


@dataclass(frozen=True)
class Composition:
    """The effective config of a launch, and what Hydra refuses.

    `tree` is the composed tree with interpolations unresolved, `base` the same without overrides of keys.
    `unchecked` says why a launch could not be composed at all; its config is then empty. `partly_known`: words that
    only a run could tell may set any key, so that no default is known.
    """

    config: Config
    problems: tuple[Problem, ...]
    schema: Schema
    tree: Tree = field(default_factory=dict)
    base: Tree = field(default_factory=dict)
    parsed: Parsed = field(default_factory=dict)
    choices: Mapping[str, str | None] = field(default_factory=dict)  # override key of each group -> option
    primary: Primary | None = None
    unchecked: str | None = None
    partly_known: bool = False

    def target(self, node: str) -> str | None:
        """The `_target_` of the node at a key, None if it has none."""
        if node not in self._targets:
            found = node_at(self.tree, node)
            target = found.get("_target_") if isinstance(found, dict) else None
            self._targets[node] = target if isinstance(target, str) else None
        return self._targets[node]

    @cached_property
    def _targets(self) -> dict[str, str | None]:
        """What was asked for already."""
        return {}

    @property
    def rejected(self) -> Problem | None:
        """The problem that Hydra would end with, None if it composes the launch."""
        return self.problems[0] if self.problems else None


def compose(launch: Launch, schema: Schema) -> Composition:
    """Compose a launch with the configs of one release."""
    problems = list(_unrecognized(launch))
    primary = primary_of(launch, schema)
    if isinstance(primary, Unchecked):
        for_hydra = launch.entry_point in schema.entry_points or launch.entry_point.startswith(OF_VERL)
        return Composition(Config({}), tuple(problems) if for_hydra else (), schema, unchecked=primary.reason)
    parsed, refused = _parse_all(launch)
    problems.extend(refused)
    if not isinstance(primary, Primary):
        problems.append(Problem(primary.cause, primary.message, key=primary.key))
        return Composition(Config({}), _in_order(problems), schema, parsed=parsed)
    problems.extend(_sweeps(launch, parsed))
    chosen = choose(primary, launch, parsed)
    if isinstance(chosen, Unchecked):
        reason = chosen.reason
        return Composition(Config({}), _in_order(problems), schema, parsed=parsed, primary=primary, unchecked=reason)
    base = compose_base(primary, chosen, launch, parsed)
    problems.extend(chosen.problems)
    unread = _unread(base.problem, primary)
    if unread is not None:
        return Composition(Config({}), _in_order(problems), schema, parsed=parsed, primary=primary, unchecked=unread)
    if base.problem is not None:
        problems.append(base.problem)
    if base.composed is None:
        return Composition(Config({}), _in_order(problems), schema, parsed=parsed, primary=primary)
    draft = Draft(base.composed.tree)
    environment = {name: _known_or_unknown(text) for name, text in launch.environment.items()}
    owners, refusals = _set_keys(draft, chosen.rest, parsed, environment)
    given = [(override.key, parsed[override.index]) for override in chosen.rest]
    keys = {key for written, read in given for key in (written, read.key)}
    nodes = {key for written, read in given if isinstance(read.value, dict) for key in (written, read.key)}
    problems.extend(problem for problem in refusals if not _is_below(problem.key, base.open_package))
    problems.extend(_hydra_problems(launch, chosen.of_hydra, parsed))
    partly_known = any(launch.command.words[index].value is None for index in launch.other)
    defaults = _defaults(base.composed)
    return Composition(
        config=EffectiveConfig(Settings(draft.tree, defaults, keys, nodes, owners, environment, partly_known)),
        problems=_in_order(problems),
        schema=schema,
        tree=draft.tree,
        base=base.composed.tree,
        parsed=parsed,
        choices=base.composed.defaults.choices,
        primary=primary,
        partly_known=partly_known,
    )


@lru_cache(maxsize=256)
def _defaults(composed: Composed) -> Defaults:
    """The settings of a tree, kept for all launches that have it."""
    return Defaults(composed.tree)


def base_of(launch: Launch, schema: Schema, parsed: Parsed | None = None) -> Composed | None:
    """The tree that a launch's groups compose to in a release, without its overrides of keys; None if there is none.

    `parsed` are its overrides, if somebody has read them already.
    """
    primary = primary_of(launch, schema)
    if not isinstance(primary, Primary):
        return None
    if parsed is None:
        parsed, _ = _parse_all(launch)
    chosen = choose(primary, launch, parsed)
    return None if isinstance(chosen, Unchecked) else compose_base(primary, chosen, launch, parsed).composed


def _unread(problem: Problem | None, primary: Primary) -> str | None:
    """Why a config that Hydra would find is not known here, if that is all that is wrong."""
    if problem is None or problem.cause not in ("not-read", "no-config", "no-primary"):
        return None
    if problem.cause == "not-read":
        return problem.message
    places = ", ".join(primary.unknown_paths)
    return f"{problem.message}, and what {places} holds is not known" if places else None


_RANK = {cause: rank for rank, cause in enumerate(get_args(Cause))}
_KEYS = _RANK["not-a-group"]


def _in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Problems as a start would meet them."""
    return tuple(sorted(problems, key=lambda problem: (min(_RANK[problem.cause], _KEYS), problem.index or 0)))


def _is_below(key: str | None, node: str | None) -> bool:
    return key is not None and node is not None and (key == node or key.startswith(node + "."))


# -------------------------------------------------------------------------------------------------- reading words


def _unrecognized(launch: Launch) -> Iterator[Problem]:
    for index in launch.other:
        word = launch.command.words[index].value
        if word is None:
            continue
        if word.startswith("="):
            yield Problem("syntax", "there is no key before the `=`", key=word, index=index)
        elif "=" not in word and not word.startswith("-"):
            yield Problem("syntax", "a word without `=` is not an override", key=word, index=index)
        else:
            yield Problem("unrecognized-argument", f"unrecognized argument `{word}`", key=word, index=index)


def _parse_all(launch: Launch) -> tuple[dict[int, ParsedOverride], list[Problem]]:
    """Every override of the launch as Hydra reads it; one with an unknown or unreadable value keeps its key."""
    parsed: dict[int, ParsedOverride] = {}
    problems: list[Problem] = []
    for override in launch.overrides:
        word = override.text.value
        try:
            if word is not None and not has_unset(override.value) and not _is_lost(launch, override):
                parsed[override.index] = parse(word)
            else:
                parsed[override.index] = _without_value(override)
        except BadOverride as error:
            said, index = error.refusal.message, override.index
            problems.append(Problem("syntax", said, override, override.key, index, refusal=error.refusal))
            with suppress(BadOverride):
                parsed[index] = _without_value(override)
    return parsed, problems


def _without_value(override: Override) -> ParsedOverride:
    """The override with its value taken as unknown. Raises `BadOverride` for a key that Hydra cannot read."""
    package = f"@{override.package}" if override.package is not None else ""
    read = parse(f"{override.prefix}{override.key}{package}=unknown")
    return ParsedOverride(read.prefix, read.key, read.package, UNKNOWN)


def has_unset(text: Text | None) -> bool:
    """True if a piece of a value comes from a variable that nothing sets: rules must not take it for empty."""
    for piece in text.pieces if text is not None else ():
        if isinstance(piece, Known) and _ends_unset(piece.origin):
            return True
    return False


def _is_lost(launch: Launch, override: Override) -> bool:
    """True for an empty value in words that a launcher joins to a text: of a variable without value nothing is left."""
    return launch.command.starter is not None and override.value is not None and not override.value.pieces


def _ends_unset(origin: Origin, of_number: bool = False) -> bool:
    """True for a variable that nothing sets; of a number's operands only for a name in capitals, as sites set them: a
    counter begins at nothing."""
    if origin.kind == "unset":
        return not of_number or (origin.name is not None and origin.name.isupper())
    of_number = of_number or origin.kind == "arithmetic"
    return (of_number or len(origin.sources) == 1) and any(_ends_unset(each, of_number) for each in origin.sources)


def _known_or_unknown(text: Text) -> Any:
    value = text.value
    return UNKNOWN if value is None else value


def _sweeps(launch: Launch, parsed: Parsed) -> Iterator[Problem]:
    if launch.multirun:
        return
    for override in launch.overrides:
        read = parsed.get(override.index)
        if read is not None and read.sweep is not None:
            message = f"`{override.key}` has several values, which needs --multirun"
            yield Problem("sweep", message, override, read.key, override.index)


# ----------------------------------------------------------------------------------------------------------- keys


def _set_keys(
    draft: Draft, overrides: Iterable[Override], parsed: Parsed, environment: Mapping[str, Any]
) -> tuple[dict[str, Override], list[Problem]]:
    """Apply overrides of keys in order. The results are the last override of each key, and what Hydra refuses."""
    owners: dict[str, Override] = {}
    problems: list[Problem] = []
    for override in overrides:
        problem = _set_key(draft, override, parsed[override.index], environment)
        if problem is None or problem.cause == "already-there":
            owners[override.key] = override
        if problem is not None:
            problems.append(problem)
    return owners, problems


def _set_key(draft: Draft, override: Override, read: ParsedOverride, environment: Mapping[str, Any]) -> Problem | None:
    if read.package is not None:
        message = f"`{read.key}@{read.package}` looks like a config group, but there is no group `{read.key}`"
        return Problem("not-a-group", message, override, read.key, override.index)
    value = UNKNOWN if read.sweep is not None else read.value
    try:
        apply(draft, read, value, environment)
    except Refused as refused:
        message = _MESSAGES[refused.reason].format(refused.key)
        if refused.reason == "already-there":  # what is meant is clear: the rest of the config is judged with it
            with suppress(Refused):
                apply(draft, replace(read, prefix="++"), value, environment)
        return Problem(refused.reason, message, override, refused.key, override.index, refused.present)
    return None


_MESSAGES: dict[str, str] = {
    "unknown-key": "no key `{}`",
    "already-there": "`{}` exists already",
    "not-there": "`{}` does not exist",
    "other-value": "`{}` has another value",
    "not-a-node": "`{}` cannot hold that",
    "bad-interpolation": "the interpolation in `{}` cannot be resolved",
}


def _hydra_problems(launch: Launch, overrides: Iterable[Override], parsed: Parsed) -> Iterator[Problem]:
    for override in overrides:
        read = parsed[override.index]
        if read.value is not UNKNOWN:
            message = refused_by_hydra(read, launch.command.words[override.index].value or "")
            if message is not None:
                yield Problem("hydra", message, override, read.key, override.index)
