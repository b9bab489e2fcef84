"""Engines that a release chooses by a group (`model_engine=megatron`) and another one by the name of a config."""

from __future__ import annotations

from dataclasses import replace

from lint.copies.rewriting import Edits, Rewritten
from lint.copies.sides import Side, Started
from lint.launch.compose import base_of
from lint.launch.groups import trees_of_engines
from lint.launch.launch import Override
from lint.schema.load import load
from lint.schema.schema import ENGINE_GROUPS

CONFIG_NAME = "--config-name="


def engines(text: Rewritten, side: Side, release: str) -> None:
    """Name the config that chooses the engine, for every command whose group has no such option in the release."""
    edits = Edits(text.source)
    launches = [started for group in side.launches.values() for started in group]
    for command in dict.fromkeys(started.launch.entry_span for started in launches):
        ways = [started for started in launches if started.launch.entry_span == command]
        found = {_needed(started, release) for started in ways}
        (need,) = found if len(found) == 1 else (None,)
        if need is None or command.path != text.source.path:
            continue  # not needed; or the scenarios differ, and what the release refuses is cut
        name, written = need
        spans = {override.span for started in ways for override in started.launch.overrides if override.key == written}
        edits.change(
            command._replace(start=command.end), f" {CONFIG_NAME}{name}", f"{CONFIG_NAME}{name} chooses the engine"
        )
        for span in spans:
            edits.drop(span)
    text.apply(edits)


def _needed(started: Started, release: str) -> tuple[str, str] | None:
    """The config that stands for the engine in the release, and the group that says it so far."""
    launch = started.launch
    there = started.composed(load(release))
    refused = next((problem.override for problem in there.problems if problem.override is not None), None)
    if refused is None or refused.key not in ENGINE_GROUPS or there.primary is None or launch.config_name is not None:
        return None
    chosen = _choices(started, refused)
    for name, composed in trees_of_engines(there.primary):
        choices = composed.defaults.choices
        if name.startswith(CONFIG_NAME) and chosen and all(choices.get(key) == chosen[key] for key in chosen):
            return name.removeprefix(CONFIG_NAME), refused.key
    return None


def _choices(started: Started, group: Override) -> dict[str, str | None]:
    """The options of other groups that the engine stands for, in the script's own release."""
    return {key: option for key, option in engine_of(started).items() if key != group.key}


def engine_of(started: Started) -> dict[str, str | None]:
    """The options that a launch has because of its engine, by group: those that it would not have without the override
    or the config that chooses the engine."""
    launch = started.launch
    plain = replace(
        launch, overrides=tuple(each for each in launch.overrides if each.key not in ENGINE_GROUPS), config_name=None
    )
    base = base_of(plain, started.side.schema)
    default = {} if base is None else base.defaults.choices
    return {key: option for key, option in started.composition.choices.items() if default.get(key) != option}


def same_engine(a: Started, b: Started) -> bool:
    """Whether two launches have the same engine, though they may choose it in different ways: `model_engine=megatron`
    is `--config-name=ppo_megatron_trainer` to a release that has no such option."""
    one, other = (
        {key: option for key, option in engine_of(each).items() if key not in ENGINE_GROUPS} for each in (a, b)
    )
    shared = one.keys() & other.keys()
    return bool(shared) and all(one[key] == other[key] for key in shared)
