"""Names that a shell completes in the values of options and arguments."""

from __future__ import annotations

from collections.abc import Iterable

Found = list[tuple[str, str]]
"""What could be meant, each with what is said beside it by shells that show that."""


def releases(incomplete: str) -> Found:
    from lint.schema.load import shipped

    return _beginning(incomplete, ((release, "") for release in reversed(shipped())))


def devices(incomplete: str) -> Found:
    from lint.facts.devices import load_devices

    return _beginning(incomplete, ((device.name, device.title) for device in load_devices().values()))


def models(incomplete: str) -> Found:
    from lint.facts.models import load_models

    return _beginning(incomplete, ((name, model.architecture) for name, model in load_models().items()))


def rules(incomplete: str) -> Found:
    from lint.rules.registry import rule_modules

    return _beginning(incomplete, ((name, "") for name in rule_modules()))


def groups(incomplete: str) -> Found:
    from lint.rules.catalogue import group_names

    return _beginning(incomplete, ((name, "group") for name in sorted(group_names())))


def rules_and_groups(incomplete: str) -> Found:
    """The last of some names with commas between them."""
    before, comma, last = incomplete.rpartition(",")
    return [(before + comma + name, said) for name, said in (*groups(last), *rules(last))]


def _beginning(incomplete: str, names: Iterable[tuple[str, str]]) -> Found:
    return [(name, said) for name, said in names if name.lower().startswith(incomplete.lower())]
