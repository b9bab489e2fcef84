"""The JSON outputs, field by field, from their JSON schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from docs.generator import Pages, table
from lint.output import FORMATS

ROOM = Path(str(files("lint.output")))
FIRST = ("check", "show", "commands", "memory")

HEAD = f"""# Outputs

`check` writes {", ".join(f"`{name}`" for name in FORMATS)}. Every JSON that the tool writes is described here, and for
programs by a JSON schema beside it.

Each has its `version` at the top. Within a version fields are only added; a field that goes, or changes its type or
meaning, makes a new version, which is announced in the [CHANGELOG](../CHANGELOG.md), and the tool then writes the old
one for one more minor release. So a reader should ignore fields that it does not know, and refuse versions that it does
not know. The order of findings and rules, and the words of messages, are no part of this.

Lines and columns count from 1, columns in characters, sizes are bytes, and `null` says that a value is not known or not
there.
"""

Row = tuple[str, str, str, str]


def names() -> list[str]:
    """The outputs that have a schema, the most used first."""
    found = sorted(file.name.removesuffix(".schema.json") for file in ROOM.glob("*.schema.json"))
    return sorted(found, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name))


def pages() -> Pages:
    """`outputs.md`."""
    parts = [HEAD]
    for name in names():
        schema = json.loads((ROOM / f"{name}.schema.json").read_text("utf-8"))
        called = schema["title"].removeprefix("recipe-lint ").rpartition(",")[0]
        link = f"[{name}.schema.json](../lint/output/{name}.schema.json)"
        rows = list(_fields(schema, schema, ""))
        parts.append(f"## {name}\n\n`{called}`. {schema['description']} Schema: {link}.\n\n{_table(rows)}")
    return {"outputs.md": "\n".join(parts)}


def _table(rows: list[Row]) -> str:
    return table(["field", "type", "always there", "meaning"], rows)


def _fields(schema: Mapping[str, Any], node: Mapping[str, Any], above: str) -> Iterator[Row]:
    """The fields below a node of a schema, depth first; `[]` stands for each element of a list."""
    for name, written in node.get("properties", {}).items():
        field = _resolved(schema, written)
        path = f"{above}{name}"
        yield f"`{path}`", _type(schema, field), "yes" if name in node.get("required", ()) else "", _meaning(field)
        for inner, suffix in _inside(schema, field):
            yield from _fields(schema, inner, f"{path}{suffix}.")


def _inside(schema: Mapping[str, Any], field: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The objects that a field holds, with what their path adds."""
    for way in (field, *(_resolved(schema, one) for one in (*field.get("anyOf", ()), *field.get("oneOf", ())))):
        each = way.get("additionalProperties")
        if "items" in way:
            yield _resolved(schema, way["items"]), "[]"
        elif "properties" in way:
            yield way, ""
        elif isinstance(each, dict):
            yield _resolved(schema, each), ".*"


def _resolved(schema: Mapping[str, Any], node: Mapping[str, Any]) -> Mapping[str, Any]:
    """The node that a reference into the same schema names, under what is written beside the reference."""
    if "$ref" not in node:
        return node
    file, _, path = node["$ref"].partition("#/")
    found: Any = json.loads((ROOM / file).read_text("utf-8")) if file else schema
    if file:
        return {"type": "object", "description": f"A {path.rpartition('/')[2]} of {file.partition('.')[0]}."}
    for part in path.split("/"):
        found = found[part]
    return {**found, **{key: value for key, value in node.items() if key != "$ref"}}


def _type(schema: Mapping[str, Any], field: Mapping[str, Any]) -> str:
    if "const" in field:
        return f"`{json.dumps(field['const'])}`"
    if "enum" in field:
        return " or ".join(f"`{json.dumps(value)}`" for value in field["enum"])
    ways = [_type(schema, _resolved(schema, way)) for way in (*field.get("anyOf", ()), *field.get("oneOf", ()))]
    if ways:
        return " or ".join(ways)
    types = field.get("type", "any")
    return " or ".join([types] if isinstance(types, str) else types)


def _meaning(field: Mapping[str, Any]) -> str:
    return str(field.get("description", ""))
