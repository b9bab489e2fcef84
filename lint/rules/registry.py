"""All rules, found by looking: every module `lint/rules/<group>/<rule_name>.py` holds one, in its attribute `check`.

Nothing lists the rules by hand. Modules whose name starts with an underscore are helpers of their group.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pathlib import Path

from lint.rules.rule import Rule

ROOM = Path(__file__).parent


@lru_cache(maxsize=1)
def rule_modules() -> dict[str, str]:
    """Module name by rule name, sorted by group and name; imports nothing."""
    files = sorted(file for file in ROOM.glob("*/*.py") if not file.name.startswith("_"))
    return {file.stem.replace("_", "-"): f"{__package__}.{file.parent.name}.{file.stem}" for file in files}


def load(name: str) -> Rule:
    """The rule of that name. Raises KeyError if there is none, TypeError if its module declares no rule."""
    module = import_module(rule_modules()[name])
    check = getattr(module, "check", None)
    if not isinstance(check, Rule):
        raise TypeError(f"{module.__name__} declares no rule: decorate its function `check` with `@rule(...)`")
    return check


@lru_cache(maxsize=1)
def all_rules() -> tuple[Rule, ...]:
    """Every rule, sorted by group and name."""
    return tuple(load(name) for name in rule_modules())


@lru_cache(maxsize=64)
def rules_under(release: str | None) -> tuple[Rule, ...]:
    """The rules for a script whose launches run under a release (None: it has none), sorted likewise."""
    return tuple(
        rule for rule in all_rules() if rule.scope == "script" or (release is not None and rule.applies_to(release))
    )


def groups() -> dict[str, str]:
    """The first line of each group's docstring, by group name."""
    found = {}
    for name in sorted({module.split(".")[-2] for module in rule_modules().values()}):
        documentation = import_module(f"{__package__}.{name}").__doc__ or ""
        found[name] = documentation.strip().partition("\n")[0]
    return found
