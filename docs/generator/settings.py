"""The settings: every key of `[tool.recipe-lint]`, and the options of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from docs.generator import Pages, table
from lint.rules.registry import all_rules
from lint.settings import FILE_KEYS, FILES, PATH_KEYS, SCRIPT_KEYS, Key, ScriptSettings

KINDS = {
    "string": "string",
    "path": "path, relative to the file that holds it",
    "count": "whole number",
    "switch": "true or false",
    "strings": "list of strings",
    "rule_names": "list of rules and groups",
    "severities": "table: rule or group = level",
    "rule_options": "table of tables",
    "environment": "table: name = string",
    "confidence": "string",
    "mapping": "table",
    "path_tables": "list of tables",
}
"""What the checks of `lint.settings` take, in words."""

HEAD = f"""# Settings

They stand in `{FILES[0]}`, or in the table `[tool.recipe-lint]` of `{FILES[1]}`. The file nearest to a script, upwards
from its folder, holds for it; files are not merged, and in one folder `{FILES[0]}` wins. A key that is not known is an
error that names the nearest one. The command line goes before all settings, and so does a
[comment in the head of a script](../README.md#which-release-which-device) for what it states.
`recipe-lint settings PATH` prints what holds and where it was set.

```toml
[tool.recipe-lint]
release = "0.9.1"
device = "ascend-a3"
severity = {{ shellcheck = "info", naming = "off" }}

[tool.recipe-lint.rules.memory-utilization-ceiling]
ceilings = {{ "80B" = 0.6 }}

[[tool.recipe-lint.paths]]
match = ["examples/release/0.8.0/**"]
release = "0.8.0"
```
"""


def pages() -> Pages:
    """`settings.md`."""
    defaults = {field.name: getattr(ScriptSettings(), field.name) for field in fields(ScriptSettings)}
    parts = [
        HEAD,
        "## For scripts\n\nAt the top, and in each `[[paths]]` table.\n\n" + _keys(SCRIPT_KEYS, defaults),
        "## For a whole file of settings\n\nAt the top only.\n\n" + _keys(FILE_KEYS, {}),
        "## In a `[[paths]]` table\n\nBeside the settings for scripts.\n\n" + _keys(PATH_KEYS, {}),
        "## Options of rules\n\nIn `[tool.recipe-lint.rules.<rule>]`.\n\n" + _options(),
    ]
    return {"settings.md": "\n".join(parts)}


def _keys(keys: Mapping[str, Key], defaults: Mapping[str, object]) -> str:
    rows = [
        (f"`{name}`", KINDS[key.check.__name__], _default(defaults.get(name)), key.meaning)
        for name, key in keys.items()
    ]
    return table(["key", "value", "default", "meaning"], rows)


def _default(value: object) -> str | None:
    if isinstance(value, bool):
        return "`true`" if value else "`false`"
    return f"`{value}`" if isinstance(value, str) else None


def _options() -> str:
    rows = [
        (f"[{rule.name}](rules/{rule.group}.md#{rule.name})", f"`{name}`", f"`{default}`")
        for rule in all_rules()
        for name, default in rule.options.items()
    ]
    return table(["rule", "option", "default"], rows)
