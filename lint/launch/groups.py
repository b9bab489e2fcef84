"""Config groups of a launch: which overrides choose them, and the tree that they compose to before keys are set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from lint.frozen import frozen
from lint.launch.config import UNKNOWN
from lint.launch.hydra_node import is_hydra_key
from lint.launch.launch import Launch, Override
from lint.launch.override import ParsedOverride
from lint.launch.primary import Primary, Unchecked
from lint.launch.problem import Cause, Problem
from lint.schema.defaults import Choices, NotComposed
from lint.schema.tree import Composed, compose_tree

Parsed = Mapping[int, ParsedOverride]
"""The overrides of a launch as Hydra reads them, by their index in argv."""


@dataclass
class Chosen:
    """What the overrides of a launch choose; `rest` are the overrides of keys, `of_hydra` those of Hydra's own."""

    chosen: dict[str, str | list[str]] = field(default_factory=dict)
    appended: list[tuple[str, str | None, str | list[str]]] = field(default_factory=list)
    deleted: dict[str, str | None] = field(default_factory=dict)
    rest: list[Override] = field(default_factory=list)
    of_hydra: list[Override] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def choices(self, without: str | None = None) -> Choices:
        """The choices, one left out."""
        chosen = {key: option for key, option in self.chosen.items() if key != without}
        return Choices(chosen, tuple(self.appended), dict(self.deleted))


def choose(primary: Primary, launch: Launch, parsed: Parsed) -> Chosen | Unchecked:
    """Sort the overrides of a launch into those of groups and those of keys."""
    found = Chosen()
    for override in launch.overrides:
        read = parsed.get(override.index)
        if read is None:
            continue
        if is_hydra_key(read.key):
            found.of_hydra.append(override)
            continue
        if "." in read.key or isinstance(read.value, dict) or not primary.search_path.is_group(read.key):
            found.rest.append(override)
            continue
        key = read.key if read.package is None else f"{read.key}@{read.package}"
        if read.value is UNKNOWN or (read.sweep is not None and launch.multirun):
            return Unchecked(f"the option of config group {key} is not known")
        if read.sweep is None:
            _choose_one(found, override, read, key)
    return found


def _choose_one(found: Chosen, override: Override, read: ParsedOverride, key: str) -> None:
    if read.prefix == "++":
        found.problems.append(_problem("forced-group", f"a config group cannot be forced: {key}", override, key))
    elif read.prefix == "~" and (read.value is None or isinstance(read.value, str)):
        found.deleted[key] = read.value
    elif read.prefix == "~" or not isinstance(read.value, (str, list)):
        message = f"config group {key} takes the name of an option"
        found.problems.append(_problem("group-value", message, override, key))
    elif read.prefix == "+":
        found.appended.append((read.key, read.package, read.value))
    else:
        found.chosen[key] = read.value


def _problem(cause: Cause, message: str, override: Override, key: str) -> Problem:
    return Problem(cause, message, override, key, override.index)


@frozen
class Base:
    """The tree under the choices of a launch, None if there is none; `open_package` is the node that a group which
    does not exist would have filled, so nothing can be said of keys below it."""

    composed: Composed | None
    problem: Problem | None = None
    open_package: str | None = None


def compose_base(primary: Primary, found: Chosen, launch: Launch, parsed: Parsed) -> Base:
    """Compose the groups of a launch; a choice that Hydra refuses is left out, so that other keys can be checked."""
    try:
        return Base(remembered(primary, Frozen(found.choices())))
    except NotComposed as error:
        override = _chosen_by(error.key, launch, parsed)
        index = None if override is None else override.index
        problem = Problem(error.cause, error.message, override, error.key, index, options=error.options)
    if override is None or problem.key not in found.chosen or override.key == "model_engine":
        return Base(None, problem)  # a wrong engine changes most keys: nothing can be said of them
    try:
        composed = remembered(primary, Frozen(found.choices(without=problem.key)))
    except NotComposed:
        return Base(None, problem)
    return Base(composed, problem, override.package or override.key.replace("/", "."))


def _chosen_by(key: str | None, launch: Launch, parsed: Parsed) -> Override | None:
    for override in reversed(launch.overrides):
        read = parsed.get(override.index)
        if read is not None and key in (read.key, f"{read.key}@{read.package}"):
            return override
    return None


@dataclass(frozen=True, eq=False)
class Frozen:
    """Choices that can be a key of the memory."""

    choices: Choices

    def _identity(self) -> str:
        return repr((sorted(self.choices.chosen.items()), self.choices.appended, sorted(self.choices.deleted.items())))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Frozen) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())


@lru_cache(maxsize=64)  # a tree takes a third of a MiB, and a checkout needs some thirty
def remembered(primary: Primary, choices: Frozen) -> Composed:
    """The tree under choices. Raises `NotComposed`."""
    return compose_tree(primary.search_path, primary.config_name, choices.choices)


@lru_cache(maxsize=16)
def trees_of_engines(primary: Primary) -> tuple[tuple[str, Composed], ...]:
    """Every engine of an entry point with the override that chooses it, and its tree."""
    return tuple(_trees_of_engines(primary))


def _trees_of_engines(primary: Primary) -> Iterator[tuple[str, Composed]]:
    for group in ("model_engine", "engine"):
        for option in primary.search_path.options(group):
            matching = {group: option, "optim": option} if group == "engine" else {group: option}
            for chosen in (matching, {group: option}):
                try:
                    yield f"{group}={option}", remembered(primary, Frozen(Choices(dict(chosen))))
                    break
                except NotComposed:
                    continue
    for name in sorted({name for folder in primary.folders for name in folder if "/" not in name}):
        if name.endswith("_trainer") and name != primary.config_name:
            try:
                other = Primary(primary.folders, primary.names, name)
                yield f"--config-name={name}", remembered(other, Frozen(Choices()))
            except NotComposed:
                continue
