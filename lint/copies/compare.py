"""What two scripts start differently: the values that reach the trainer, not the text that writes them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import field, replace
from functools import lru_cache

from lint.bash.reading import Text
from lint.copies.engines import same_engine
from lint.copies.sides import Scenario, Side, Started
from lint.facts.entry_points import entry_point_in
from lint.facts.renamed_keys import key_changes
from lint.frozen import frozen
from lint.launch.config import ABSENT, Special
from lint.launch.effective import node_at
from lint.launch.launch import Override
from lint.launch.override import BadOverride, parse
from lint.rules.hydra._absent import takes
from lint.schema.load import version_key
from lint.schema.schema import ENGINE_GROUPS
from lint.text import Span

DELETED = "(deleted)"


@frozen
class Value:
    """What one side gives a key. `shown` is the value as text; `written` is the key as this side names it.

    `span` is where it is written, None for the default of a `release`. `comparable` decides equality.
    """

    shown: str
    comparable: object
    written: str
    span: Span | None
    text: Text | None = None
    release: str | None = None


@frozen
class Difference:
    """A key with two values; None: that side gives it none. `$NAME` is an environment variable of the trainer.

    `scenario` names the toggles under which they differ, empty if they differ always. `lacking` is the release of the
    side without a value, if that release has no such key.
    """

    key: str
    a: Value | None
    b: Value | None
    scenario: Mapping[str, str] = field(default_factory=dict)
    lacking: str | None = None


def compare(a: Side, b: Side) -> list[Difference]:
    """Every difference between what two scripts start, under every scenario that either of them knows."""
    if a.source.text == b.source.text and not a.reads_others:
        return []
    found: dict[tuple[str, str | None, str | None], list[tuple[Scenario, Difference]]] = {}
    scenarios = list(dict.fromkeys([*a.launches, *b.launches]))
    for scenario in scenarios:
        started = a.under(scenario), b.under(scenario)
        if scenario and not all(started):  # a toggle such as DRY_RUN, under which a side starts nothing
            continue
        for difference in _compare_all(*started):
            if _is_given(difference, dict(scenario)):
                continue
            found.setdefault(_identity(difference), []).append((scenario, difference))
    return [_named(group, len(scenarios)) for group in found.values()]


def _is_given(difference: Difference, scenario: Mapping[str, str]) -> bool:
    """True for a variable that a scenario sets and that one side does not mention: it is in its environment, too."""
    return difference.key[:1] == "$" and difference.key[1:] in scenario and None in (difference.a, difference.b)


def _named(group: list[tuple[Scenario, Difference]], scenarios: int) -> Difference:
    """One difference, with the scenario if it does not hold under the default one or under all."""
    scenario, difference = group[0]
    always = len(group) == scenarios or any(not other for other, _ in group)
    return difference if always else replace(difference, scenario={**dict(scenario), **difference.scenario})


def _compare_all(a: tuple[Started, ...], b: tuple[Started, ...]) -> Iterator[Difference]:
    """Commands are paired in order, by the program that they start, whatever the two releases call it."""
    newest = max((started.side.schema.release for started in (*a, *b)), key=version_key, default="")
    rest = _commands(b)
    for first in _commands(a):
        program = entry_point_in(newest, first[0].launch.entry_point)
        second = next((one for one in rest if entry_point_in(newest, one[0].launch.entry_point) == program), None)
        if second is None:
            yield Difference(first[0].launch.entry_point, _started(first[0]), None)
            continue
        rest.remove(second)
        yield from _compare_ways(first, second)
    for second in rest:
        yield Difference(second[0].launch.entry_point, None, _started(second[0]))


def _commands(launches: tuple[Started, ...]) -> list[list[Started]]:
    """The launches by command: where a test cannot be decided, one command is started in one of several ways."""
    found: dict[tuple[str, object], list[Started]] = {}
    for started in launches:
        command = started.launch.command
        found.setdefault((started.launch.entry_point, (command.span, command.called_from)), []).append(started)
    return list(found.values())


def _compare_ways(a: list[Started], b: list[Started]) -> Iterator[Difference]:
    """Each way of one side with the way of the other that is most like it; what only some ways have names the way."""
    found: dict[tuple[str, str | None, str | None], list[tuple[Started, Difference]]] = {}
    pairs = [(way, min((list(compare_launches(way, other)) for other in b), key=len)) for way in a]
    if len(b) > len(a):
        pairs = [(way, min((list(compare_launches(other, way)) for other in a), key=len)) for way in b]
    for way, differences in pairs:
        for difference in differences:
            found.setdefault(_identity(difference), []).append((way, difference))
    for group in found.values():
        way, difference = group[0]
        always = len(group) == len(pairs)
        yield difference if always else replace(difference, scenario=dict(way.launch.command.scenario))


def _identity(difference: Difference) -> tuple[str, str | None, str | None]:
    one, other = (None if value is None else value.shown for value in (difference.a, difference.b))
    return difference.key, one, other


def _started(started: Started) -> Value:
    return Value("started", True, started.launch.entry_point, started.launch.entry_span)


def compare_launches(a: Started, b: Started) -> Iterator[Difference]:
    """The differences between two launches of one program, in the order in which the first writes them."""
    releases = (a.side.release, b.side.release)
    renamed = _renamed(a, b) if releases[0] != releases[1] or releases[0] is None else {}
    first = {renamed.get(key, key): value for key, value in _overrides(a).items()}
    second = {renamed.get(key, key): value for key, value in _overrides(b).items()}
    chosen = _engine_keys(a, b)
    for key in dict.fromkeys([*first, *second]):
        if key in chosen:
            continue
        one = first.get(key) or _default(a, key, renamed)
        other = second.get(key) or _default(b, key, renamed)
        if not _equal(one, other):
            without = a if one is None else b if other is None else None
            yield Difference(key, one, other, lacking=None if without is None else _lacking(without, key))
    yield from _config_names(a, b)
    yield from _environments(a, b)


def written(side: Side, names: Collection[str]) -> frozenset[object]:
    """What a script gives one of the names of a key, under all its scenarios: values as text, no defaults."""
    found: set[object] = set()
    for launches in side.launches.values():
        for started in launches:
            launch = started.launch
            found |= {value.shown for name, value in _overrides(started).items() if name in names}
            found |= {text.shown for name, text in launch.environment.items() if f"${name}" in names}
            if launch.entry_point in names:
                found.add(launch.entry_point)
            if launch.config_name is not None and "--config-name" in names:
                found.add(launch.config_name.shown)
    return frozenset(found)


def _engine_keys(a: Started, b: Started) -> tuple[str, ...]:
    """The groups that need not be the same, because the engine is the same and one side names its config instead."""
    named = a.launch.config_name is not None or b.launch.config_name is not None
    return ENGINE_GROUPS if named and same_engine(a, b) else ()


@lru_cache(maxsize=256)
def _overrides(started: Started) -> dict[str, Value]:
    """The last override of each key."""
    found = {}
    for override in started.launch.overrides:
        key = override.key if override.package is None else f"{override.key}@{override.package}"
        found[key] = Value(_shown(override), _comparable(started, override), key, override.span, override.value)
    return found


def _shown(override: Override) -> str:
    return DELETED if override.prefix == "~" or override.value is None else override.value.shown


def _comparable(started: Started, override: Override) -> object:
    """The value as Hydra reads it; the text where Hydra cannot read it or only a run could tell it."""
    word = started.launch.command.words[override.index]
    if override.prefix == "~" or word.value is None:
        return _shown(override)
    try:
        parsed = parse(word.value)
    except BadOverride:
        return _shown(override)
    return _shown(override) if parsed.sweep is not None else parsed.value


def _default(started: Started, key: str, renamed: Mapping[str, str]) -> Value | None:
    """What a side that does not write a key runs with: the default of its release; None if it has no such key; unknown
    if its config is."""
    composition = started.composition
    if composition.unchecked is not None:
        reason = f"<unknown: {composition.unchecked}>"
        return Value(reason, reason, key, None, release=started.side.schema.release)
    names = [key, *(old for old, new in renamed.items() if new == key)]
    for name in names:
        if name in composition.choices:
            choice = composition.choices[name]
            return Value(str(choice), choice, name, None, release=started.side.schema.release)
        setting = composition.config.get(name)
        if setting is not None and not isinstance(setting.value, Special):
            span = None if setting.override is None else setting.override.span
            return Value(_plain(setting.value), setting.value, name, span, release=started.side.schema.release)
    return None


def _lacking(started: Started, key: str) -> str | None:
    """The release that a side runs with, if it neither has a key nor takes it with a `+`."""
    composition = started.composition
    known = "@" in key or node_at(composition.base, key) is not ABSENT or takes(composition, key)
    return None if known else started.side.schema.release


def _plain(value: object) -> str:
    return "null" if value is None else str(value)


def _equal(one: Value | None, other: Value | None) -> bool:
    if one is None or other is None:  # null asks for nothing where the other release has no such key
        return all(value is None or value.comparable is None for value in (one, other))
    same_kind = isinstance(one.comparable, bool) == isinstance(other.comparable, bool)
    return same_kind and one.comparable == other.comparable


def _renamed(a: Started, b: Started) -> dict[str, str]:
    """Old names of keys that either side writes -> the name in the newer of the two releases."""
    newest = max((started.side.schema.release for started in (a, b)), key=version_key)
    keys = {override.key for started in (a, b) for override in started.launch.overrides}
    names = {key: _name_in(newest, key) for key in keys}
    return {key: name for key, name in names.items() if name != key}


@lru_cache(maxsize=8192)
def _name_in(release: str, key: str) -> str:
    """What a release calls a key that it or an earlier one has under another name."""
    for change in key_changes():
        if change.kind == "renamed" and version_key(change.since) <= version_key(release) and change.matches(key):
            key = change.translate(key) or key
    return key


def _config_names(a: Started, b: Started) -> Iterator[Difference]:
    """Other primary configs, unless they choose the same engine: `ppo_megatron_trainer` is `model_engine=megatron`."""
    names = [started.launch.config_name for started in (a, b)]
    one, other = (None if name is None else name.shown.removesuffix(".yaml") for name in names)
    if one == other:
        return
    choices = [started.composition.choices for started in (a, b)]
    if (choices[0] and choices[0] == choices[1]) or same_engine(a, b):
        return
    yield Difference("--config-name", _name(a, one), _name(b, other))


def _name(started: Started, name: str | None) -> Value | None:
    return None if name is None else Value(name, name, "--config-name", started.launch.entry_span)


def _environments(a: Started, b: Started) -> Iterator[Difference]:
    for name in dict.fromkeys([*a.launch.environment, *b.launch.environment]):
        one, other = (_variable(started, name) for started in (a, b))
        if not _equal(one, other):
            yield Difference(f"${name}", one, other)


def _variable(started: Started, name: str) -> Value | None:
    text = started.launch.environment.get(name)
    if text is None:
        return None
    span = text.pieces[0].origin.span if text.pieces else started.launch.command.span
    return Value(text.shown, text.shown, f"${name}", span, text)
