"""What is known about any rule name that a finding can carry: our own rules, and shellcheck's codes."""

from __future__ import annotations

from difflib import get_close_matches

from lint import PROJECT
from lint.frozen import frozen
from lint.regular import regular
from lint.rules.registry import load, rule_modules

SHELLCHECK_CODE = regular(r"SC\d{4}\Z")

BUILT_IN = {
    "internal-error": "The linter failed on a script: a defect of the tool, which its users should report.",
    "unreadable-script": "The file cannot be read, or is not a script.",
    "release-copy-drift": "A recipe and its copy on a release branch start different things (`recipe-lint copies`).",
}
"""What is reported where no rule runs: by the linter about itself, and by `recipe-lint copies`."""


@frozen
class Description:
    """A rule as other tools show it; `address` is a page that explains it further."""

    name: str
    group: str
    summary: str
    text: str
    address: str


def is_rule(name: str) -> bool:
    """True for a rule of ours and for anything that has the form of a shellcheck code."""
    return name in rule_modules() or name in BUILT_IN or SHELLCHECK_CODE.match(name) is not None


def is_suppressible(name: str) -> bool:
    """Whether comments can silence a rule."""
    if name in BUILT_IN:
        return False
    return SHELLCHECK_CODE.match(name) is not None or (name in rule_modules() and load(name).suppressible)


def group_names() -> frozenset[str]:
    """The groups that rules can be selected by; `shellcheck` stands for all of shellcheck's codes."""
    return frozenset(module.split(".")[-2] for module in rule_modules().values()) | {"shellcheck"}


def group_of(name: str) -> str:
    """The group of a rule. Raises KeyError for a name that is no rule."""
    if name in BUILT_IN:
        return "tool"
    return "shellcheck" if SHELLCHECK_CODE.match(name) else rule_modules()[name].split(".")[-2]


def unknown(name: str, groups: bool = False) -> str | None:
    """What is wrong with a name of a rule (or of a group, where these may be named), if anything."""
    if is_rule(name) or (groups and name in group_names()):
        return None
    if name in group_names():
        return f"{name!r} is a group; name one of its rules, which `recipe-lint rules {name}` lists"
    near = nearest(name, groups)
    hint = f"did you mean {near!r}?" if near else "`recipe-lint rules` lists all"
    return f"no rule {'or group ' if groups else ''}is called {name!r}; {hint}"


def nearest(name: str, groups: bool = False) -> str | None:
    """The rule (or group) whose name is most like `name`, if any is like it."""
    known = [*rule_modules(), *BUILT_IN, *(group_names() if groups else ())]
    found = get_close_matches(name if SHELLCHECK_CODE.match(name) else name.lower(), known, 1, 0.6)
    return found[0] if found else None


def describe(name: str) -> Description:
    """The description of a rule. Raises KeyError for a name that is no rule."""
    if SHELLCHECK_CODE.match(name):
        address = f"https://www.shellcheck.net/wiki/{name}"
        return Description(name, "shellcheck", f"shellcheck's {name}.", f"See {address}.", address)
    if name in BUILT_IN:
        return Description(name, "tool", BUILT_IN[name], BUILT_IN[name], PROJECT)
    text = load(name).documentation.strip()
    summary = " ".join(text.partition("\n\n")[0].split())
    group = group_of(name)
    address = f"{PROJECT}/blob/main/docs/rules/{group}.md#{name}"
    return Description(name, group, summary, text, address)
