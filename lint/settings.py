"""Settings of a project: `recipe-lint.toml`, or the table `[tool.recipe-lint]` of `pyproject.toml`.

The file nearest to a script, upwards from its folder, holds for it; files are not merged. In one folder
`recipe-lint.toml` wins. A key that is not known is an error, with the nearest known one. For each script the tables
`[[tool.recipe-lint.paths]]` whose `match` names it are laid over the rest, later ones over earlier ones, and the
command line over all.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any

from lint.files.discovery import shown_path
from lint.files.globs import matches
from lint.frozen import frozen

FILES = ("recipe-lint.toml", "pyproject.toml")
LEVELS = ("error", "warning", "info", "off")
CONFIDENCES = ("high", "medium", "low")


class BadSettings(Exception):
    """A settings file that cannot be used; the message starts with its path, and with the line where it is known."""


@frozen
class ScriptSettings:
    """What holds for one script. `origins` says of each name where it was set."""

    release: str | None = None
    verl: str | None = None
    device: str | None = None
    model: str | None = None
    nodes: int | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    confidence: str = "medium"
    shellcheck: bool = True
    origins: Mapping[str, str] = field(default_factory=dict)


@frozen
class PathSettings:
    """One `[[paths]]` table: what it sets for the scripts that `match` names."""

    match: tuple[str, ...]
    values: Mapping[str, Any]
    origin: str


@frozen
class Settings:
    """The settings of one file. Patterns are relative to `folder`."""

    folder: Path
    file: Path | None
    common: ScriptSettings
    paths: tuple[PathSettings, ...] = ()
    exclude: tuple[str, ...] = ()
    baseline: str | None = None
    copies: Mapping[str, object] = field(default_factory=dict)

    def relative(self, path: str) -> str:
        """A path as the patterns see it; a path outside the folder stays as it is."""
        inside = os.path.relpath(path, self.folder)
        return path if inside.startswith(os.pardir) else inside.replace(os.sep, "/")

    def excludes(self, path: str) -> bool:
        return bool(self.exclude) and matches(self.exclude, self.relative(path))

    def for_script(self, path: str) -> ScriptSettings:
        """What holds for one script, before the command line has its say."""
        chosen = self.common
        for table in self.paths:
            if matches(table.match, self.relative(path)):
                chosen = overlay(chosen, table.values, table.origin)
        return chosen


def overlay(settings: ScriptSettings, values: Mapping[str, Any], origin: str) -> ScriptSettings:
    """`settings` with `values` laid over: tables are joined key by key, everything else is replaced."""
    changes: dict[str, Any] = {}
    for name, value in values.items():
        if name == "rules":
            joined = dict(settings.rules)
            for rule, options in value.items():
                joined[rule] = {**joined.get(rule, {}), **options}
            changes[name] = joined
        elif isinstance(value, Mapping):
            changes[name] = {**getattr(settings, name), **value}
        else:
            changes[name] = value
    origins = {**settings.origins, **dict.fromkeys(changes, origin)}
    return replace(settings, **changes, origins=origins)


# --------------------------------------------------------------------------------------------------------- loading


def settings_for(path: str) -> Settings:
    """The settings that hold for a script or folder. Raises `BadSettings`."""
    full = os.path.abspath(path)
    return nearest(full if os.path.isdir(full) else os.path.dirname(full))


@lru_cache(maxsize=4096)
def nearest(folder: str) -> Settings:
    """The settings of the nearest file at or above `folder`, or the built-in ones. Raises `BadSettings`."""
    for name in FILES:
        file = os.path.join(folder, name)
        if os.path.isfile(file):
            settings = load(Path(file))
            if settings is not None:
                return settings
    above = os.path.dirname(folder)
    if above == folder:
        return Settings(Path(folder), None, ScriptSettings())
    return nearest(above)


def load(file: Path) -> Settings | None:
    """The settings in a file; None for a `pyproject.toml` without our table. Raises `BadSettings`."""
    from lint.toml import TOMLDecodeError, loads

    try:
        text = file.read_text("utf-8")
        document = loads(text)
    except (OSError, UnicodeDecodeError) as error:
        raise BadSettings(f"{shown_path(str(file))}: cannot be read: {error}") from None
    except TOMLDecodeError as error:
        raise BadSettings(f"{shown_path(str(file))}: not valid TOML: {error}") from None
    except RecursionError:
        raise BadSettings(f"{shown_path(str(file))}: not read: its values are nested too deep") from None
    table: Any = document
    if file.name == "pyproject.toml":
        tools = document.get("tool")
        table = tools.get("recipe-lint") if isinstance(tools, dict) else None
        if table is None:
            return None
    return _Reader(file, text).settings(table)


Check = Callable[["_Reader", str, Any], Any]


@frozen
class Key:
    """A setting that is known: what reads its value (and refuses a wrong one), and what it means."""

    check: Check
    meaning: str


@frozen
class _Reader:
    """Turns the table of one file into settings, and tells where a mistake stands."""

    file: Path
    text: str

    def settings(self, table: Any) -> Settings:
        self.mapping("tool.recipe-lint" if self.file.name == "pyproject.toml" else "the file", table)
        values = self.values(table, {**SCRIPT_KEYS, **FILE_KEYS}, "")
        paths = values.pop("paths", ())
        whole = {name: values.pop(name) for name in ("exclude", "baseline", "copies") if name in values}
        common = overlay(ScriptSettings(), values, shown_path(str(self.file)))
        return Settings(self.file.parent, self.file, common, paths, **whole)

    def values(self, table: Mapping[str, Any], known: Mapping[str, Key], above: str) -> dict[str, Any]:
        found = {}
        for key, value in table.items():
            name = f"{above}{key}"
            if key not in known:
                raise self.wrong(name, f"unknown setting {name!r}{suggestion(key, known)}")
            found[key] = known[key].check(self, name, value)
        return found

    def wrong(self, name: str, message: str) -> BadSettings:
        """The error, with the first line that sets the last part of `name`."""
        key = re.escape(name.rpartition(".")[2])
        found = re.search(rf"^\s*(?:\[+[^\]\n]*\b{key}\"?'?\s*\]|[\"']?{key}[\"']?\s*[=.])", self.text, re.MULTILINE)
        line = f":{self.text.count(chr(10), 0, found.end()) + 1}" if found else ""
        return BadSettings(f"{shown_path(str(self.file))}{line}: {message}")

    # ------------------------------------------------------------------------------------------ kinds of values

    def string(self, name: str, value: Any) -> str:
        if not isinstance(value, str) or not value:
            raise self.wrong(name, f"{name} must be a string that is not empty, not {value!r}")
        return value

    def count(self, name: str, value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise self.wrong(name, f"{name} must be a whole number of at least 1, not {value!r}")
        return value

    def switch(self, name: str, value: Any) -> bool:
        if not isinstance(value, bool):
            raise self.wrong(name, f"{name} must be true or false, not {value!r}")
        return value

    def strings(self, name: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.wrong(name, f"{name} must be a list of strings, not {value!r}")
        return tuple(value)

    def mapping(self, name: str, value: Any) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            raise self.wrong(name, f"{name} must be a table, not {value!r}")
        return value

    def confidence(self, name: str, value: Any) -> str:
        return self.one_of(name, value, CONFIDENCES)

    def one_of(self, name: str, value: Any, allowed: tuple[str, ...]) -> str:
        if value not in allowed:
            raise self.wrong(
                name, f"{name} must be one of {', '.join(allowed)}, not {value!r}{suggestion(value, allowed)}"
            )
        return str(value)

    def path(self, name: str, value: Any) -> str:
        """A path, relative to the file that holds it."""
        return os.path.normpath(self.file.parent / os.path.expanduser(self.string(name, value)))

    def rule_names(self, name: str, value: Any) -> tuple[str, ...]:
        names = self.strings(name, value)
        for item in names:
            self.known_rule(name, item, groups=True)
        return names

    def known_rule(self, name: str, rule: str, groups: bool) -> None:
        problem = unknown_rule(rule, groups)
        if problem:
            raise self.wrong(name, f"{name}: {problem}")

    def severities(self, name: str, value: Any) -> Mapping[str, str]:
        for rule, level in self.mapping(name, value).items():
            self.known_rule(f"{name}.{rule}", rule, groups=True)
            self.one_of(f"{name}.{rule}", level, LEVELS)
        return dict(value)

    def rule_options(self, name: str, value: Any) -> Mapping[str, Mapping[str, object]]:
        for rule, options in self.mapping(name, value).items():
            self.known_rule(f"{name}.{rule}", rule, groups=False)
            known = options_of(rule)
            for option, given in self.mapping(f"{name}.{rule}", options).items():
                whole = f"{name}.{rule}.{option}"
                if option not in known:
                    raise self.wrong(whole, f"unknown option {whole!r}{suggestion(option, known)}")
                problem = wrong_option(rule, option, given)
                if problem:
                    raise self.wrong(whole, f"{whole}: {problem}")
        return dict(value)

    def environment(self, name: str, value: Any) -> Mapping[str, str]:
        for variable, text in self.mapping(name, value).items():
            if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", variable):
                raise self.wrong(f"{name}.{variable}", f"{name}: {variable!r} is no name of a variable")
            if not isinstance(text, str):
                raise self.wrong(f"{name}.{variable}", f"{name}.{variable} must be a string, not {text!r}")
        return dict(value)

    def path_tables(self, name: str, value: Any) -> tuple[PathSettings, ...]:
        if not isinstance(value, list):
            raise self.wrong(name, f"{name} must be a list of tables, each headed [[tool.recipe-lint.paths]]")
        tables = []
        for number, table in enumerate(value, 1):
            values = self.values(self.mapping(name, table), {**SCRIPT_KEYS, **PATH_KEYS}, f"{name}.")
            if not values.get("match"):
                raise self.wrong(name, f"{name}: table {number} names no files; give it match = [...]")
            match = values.pop("match")
            tables.append(PathSettings(match, values, f"{shown_path(str(self.file))} ({name}: {', '.join(match)})"))
        return tuple(tables)


SCRIPT_KEYS: dict[str, Key] = {
    "release": Key(_Reader.string, "the release of verl that scripts are checked against"),
    "verl": Key(
        _Reader.path,
        "a checkout of verl, a wheel, or a file that `schema build` wrote, to check against instead of a release",
    ),
    "device": Key(_Reader.string, "the accelerator, as `ascend-a3`"),
    "model": Key(_Reader.string, "the model that is trained, where the script does not tell"),
    "nodes": Key(_Reader.count, "the number of nodes, where the script leaves it open"),
    "select": Key(_Reader.rule_names, "rules and groups to run; all if left out"),
    "ignore": Key(_Reader.rule_names, "rules and groups to leave out"),
    "severity": Key(_Reader.severities, "another severity for a rule or group: `error`, `warning`, `info` or `off`"),
    "rules": Key(_Reader.rule_options, "options of single rules, each in a table `rules.<rule>`"),
    "environment": Key(_Reader.environment, "environment variables under which scripts are read"),
    "confidence": Key(_Reader.confidence, "the least confidence of findings that are shown: `high`, `medium` or `low`"),
    "shellcheck": Key(_Reader.switch, "whether shellcheck runs beside our rules"),
}
PATH_KEYS: dict[str, Key] = {
    "match": Key(_Reader.strings, "patterns of the scripts that a `[[paths]]` table is for, as in .gitignore"),
}
FILE_KEYS: dict[str, Key] = {
    "exclude": Key(_Reader.strings, "patterns of files and folders that are not searched, as in .gitignore"),
    "baseline": Key(_Reader.path, "a file with findings that are not reported again"),
    "copies": Key(_Reader.mapping, "what `recipe-lint copies` compares; see the README"),
    "paths": Key(_Reader.path_tables, "tables that hold for the scripts that `match` names, later ones over earlier"),
}


def suggestion(name: object, known: Mapping[str, object] | tuple[str, ...]) -> str:
    """`; did you mean 'x'?`, or the known names if there are few, or nothing."""
    found = get_close_matches(str(name), list(known), 1, 0.6)
    if found:
        return f"; did you mean {found[0]!r}?"
    return f"; known are {', '.join(known)}" if 0 < len(known) <= 20 else ""


def unknown_rule(name: str, groups: bool = True) -> str | None:
    """What is wrong with the name of a rule (or group), if anything."""
    from lint.rules.catalogue import unknown

    return unknown(name, groups)


def wrong_option(rule: str, option: str, value: object) -> str | None:
    """What is wrong with the value of a rule's option, if anything: it is a number or a table, as its default is."""
    from lint.rules.registry import load as load_rule

    chosen = load_rule(rule)
    if isinstance(chosen.options[option], Mapping):
        if not isinstance(value, Mapping):
            return f"it must be a table, not {value!r}"
    elif isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < math.inf:
        return f"it must be a number from 0 on, not {value!r}"
    return None if chosen.objection is None else chosen.objection(option, value)


def options_of(rule: str) -> Mapping[str, object]:
    """The options of a rule with their defaults."""
    from lint.rules.catalogue import SHELLCHECK_CODE
    from lint.rules.registry import load as load_rule

    return {} if SHELLCHECK_CODE.match(rule) else load_rule(rule).options
