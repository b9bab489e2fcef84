"""A schema as JSON: compact, deterministic, one file for each release."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from lint.schema.schema import ConfigFile, DataClass, EntryPoint, Fault, Field, Schema

FORMAT = 4


class BadSchema(Exception):
    """The text is not a schema of this format."""


def dump(schema: Schema) -> str:
    """The JSON text of a schema: equal schemas give equal text."""
    document = {
        "format": FORMAT,
        "release": schema.release,
        "origin": schema.origin,
        "sha256": schema.sha256,
        "date": schema.date,
        "entry_points": {name: [point.folder, point.config_name] for name, point in schema.entry_points.items()},
        "folders": {
            folder: {path: _dump_file(file) for path, file in files.items()} for folder, files in schema.folders.items()
        },
        "classes": {name: _dump_class(found) for name, found in schema.classes.items()},
        "aliases": dict(schema.aliases),
        "instantiated": list(schema.instantiated),
        "behaviours": list(schema.behaviours),
        "registered": list(schema.registered),
    }
    lines = [f"{json.dumps(key)}:{_pretty(value)}" for key, value in document.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _pretty(value: Any) -> str:
    """One line for each entry of the two large mappings, so that a difference between releases can be read."""

    def plain(inner: Any) -> str:
        return json.dumps(inner, separators=(",", ":"), ensure_ascii=False)

    if not isinstance(value, dict) or not value:
        return plain(value)
    return "{\n" + ",\n".join(f" {json.dumps(key)}:{plain(inner)}" for key, inner in value.items()) + "\n}"


def _dump_file(file: ConfigFile) -> list[Any]:
    row = [file.package, None if file.defaults is None else list(file.defaults), dict(file.body)]
    return row if file.fault is None else [*row, [file.fault.message, file.fault.refused]]


def _dump_class(found: DataClass) -> list[Any]:
    fields = {name: _dump_field(field) for name, field in found.fields.items()}
    allowed = {name: list(values) for name, values in found.inherited_allowed.items()}
    return [found.source, list(found.bases), fields, allowed]


def _dump_field(field: Field) -> str | list[Any]:
    kinds = "|".join(field.types)
    if not field.allowed:
        return kinds
    return [kinds, list(field.allowed)] if field.checked else [kinds, list(field.allowed), False]


def parse(text: str) -> Schema:
    """The schema in a JSON text. Raises `BadSchema`."""
    try:
        document = json.loads(text)
        if document["format"] != FORMAT:
            raise BadSchema(f"format {document['format']}, expected {FORMAT}")
        return Schema(
            release=document["release"],
            origin=document["origin"],
            sha256=document["sha256"],
            date=document["date"],
            entry_points={name: EntryPoint(name, *rest) for name, rest in document["entry_points"].items()},
            folders={
                folder: {path: _parse_file(*file) for path, file in files.items()}
                for folder, files in document["folders"].items()
            },
            classes={name: _parse_class(*found) for name, found in document["classes"].items()},
            aliases=document["aliases"],
            instantiated=tuple(document["instantiated"]),
            behaviours=tuple(document["behaviours"]),
            registered=tuple(document["registered"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadSchema(f"not a schema: {type(error).__name__}: {error}") from error


def _parse_file(
    package: str | None, defaults: list[Any] | None, body: dict[str, Any], fault: list[Any] | None = None
) -> ConfigFile:
    read = None if defaults is None else tuple(defaults)
    return ConfigFile(package, read, body, None if fault is None else Fault(*fault))


def _parse_class(source: str, bases: list[str], fields: Mapping[str, Any], allowed: Mapping[str, Any]) -> DataClass:
    return DataClass(
        {name: _parse_field(field) for name, field in fields.items()},
        tuple(bases),
        {name: tuple(values) for name, values in allowed.items()},
        source,
    )


def _parse_field(field: str | list[Any]) -> Field:
    if isinstance(field, str):
        return Field(tuple(field.split("|")) if field else ())
    kinds, allowed, *unchecked = field
    return Field(tuple(kinds.split("|")) if kinds else (), tuple(allowed), not unchecked)
