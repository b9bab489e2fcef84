"""The JSON outputs, field by field, from their JSON schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from docs.generator import Pages, table
from lint.output import FORMATS

SCHEMAS = {"check": "check.schema.json", "memory": "memory.schema.json"}

HEAD = f"""# Outputs

`check` writes {", ".join(f"`{name}`" for name in FORMATS)}. The JSON of `check` and `memory` is described here, and
for programs by a JSON schema; `show`, `compare`, `copies`, `rules` write JSON, too, with `"version": 1` at the top.

Within a version fields are only added. Lines and columns count from 1, sizes are bytes, and `null` says that a value is
not known.
"""

Row = tuple[str, str, str, str]


def pages() -> Pages:
    """`outputs.md`."""
    parts = [HEAD]
    for command, name in SCHEMAS.items():
        schema = json.loads(files("lint.output").joinpath(name).read_text("utf-8"))
        link = f"[{name}](../lint/output/{name})"
        rows = list(_fields(schema, schema, ""))
        parts.append(f"## {command}\n\n{schema['description']} Schema: {link}.\n\n{_table(rows)}")
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
        if "items" in way:
            yield _resolved(schema, way["items"]), "[]"
        elif "properties" in way:
            yield way, ""


def _resolved(schema: Mapping[str, Any], node: Mapping[str, Any]) -> Mapping[str, Any]:
    """The node that a reference into the same schema names, under what is written beside the reference."""
    if "$ref" not in node:
        return node
    found: Any = schema
    for part in node["$ref"].removeprefix("#/").split("/"):
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
