"""What a text says of the environment that a program gets: lines of `docker run --env-file`, YAML or JSON of Ray."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from lint.bash.programs.joining import part
from lint.bash.reading import Known, Origin, Text, Unknown
from lint.bash.state.state import UNKNOWN_TEXT
from lint.frozen import frozen
from lint.regular import regular
from lint.text import Span

_LINE = regular(r"^[^\S\n]*([^\s=#][^\s=]*)(=?)(.*?)\r?$", re.MULTILINE)


@frozen
class Environment:
    """Variables (None: as in the shell), and the working directory if one is named."""

    variables: Mapping[str, Text | None] = field(default_factory=dict)
    directory: Text | None = None


@frozen
class NoString:
    """A variable whose value is not a string in YAML: `kind` is the name of its tag (int, bool, float, null, ...)."""

    name: str
    kind: str
    text: Text


def of_lines(text: Text) -> Environment:
    """`NAME=value` lines, values to the end of the line as they stand; `NAME` alone is handed on.

    Source: docker/cli, pkg/kvfile/kvfile.go, docker 28.2.2.
    """
    found: dict[str, Text | None] = {}
    for line in _LINE.finditer(_written(text)):
        found[line[1]] = part(text, *line.span(3)) if line[2] else None
    return Environment(found)


def of_ray(text: Text) -> Environment | None:
    """The `env_vars` and the `working_dir` of a runtime environment in YAML, of which JSON is a part; None if it is
    neither. Source: ray 2.46, dashboard/modules/dashboard_sdk.py :: parse_runtime_env_args.
    """
    members = _runtime_environment(text)
    if members is None:
        return None
    variables = {name: _expanded(_scalar(text, node)) for name, node in _members(members.get("env_vars"))}
    directory = members.get("working_dir")
    return Environment(variables, None if directory is None else _scalar(text, directory))


def no_strings(text: Text) -> Iterator[NoString]:
    """The `env_vars` of a runtime environment that YAML reads as something else than a string."""
    for name, node in _members((_runtime_environment(text) or {}).get("env_vars")):
        kind = node.tag.removeprefix("tag:yaml.org,2002:")
        if kind != "str":
            yield NoString(name, kind, _scalar(text, node))


def _runtime_environment(text: Text) -> dict[str, Any] | None:
    """The members of a runtime environment as nodes of YAML; None if it is no mapping."""
    import yaml  # few scripts need it, and it takes longer to import than these to read

    try:
        root = yaml.compose(_written(text), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    return None if root is not None and root.id != "mapping" else dict(_members(root))


def _written(text: Text) -> str:
    """A text with one character for each part of it that is not known, as `part` counts it."""
    return "".join(piece.text if isinstance(piece, Known) else UNKNOWN_TEXT for piece in text.pieces)


def _members(node: Any) -> Iterator[tuple[str, Any]]:
    """The entries of a mapping of YAML that have a plain name; none of anything else."""
    for key, value in node.value if node is not None and node.id == "mapping" else ():
        if key.id == "scalar":
            yield key.value, value


def _scalar(text: Text, node: Any) -> Text:
    """A value as it stands in the text, perhaps in quotes; where that says it in another way, without its place."""
    start, end = node.start_mark.index, node.end_mark.index
    if node.id == "scalar":
        place = start + (end - start - len(node.value)) // 2
        found = part(text, place, place + len(node.value))
        if _written(found) == node.value:
            return found
        if UNKNOWN_TEXT not in node.value:
            return Text((Known(node.value, _origin(text)),))
    return Text((Unknown("a value of the runtime environment that is partly known", _origin(text)),))


def _expanded(text: Text) -> Text:
    """Ray puts the variables of the machine where the job runs for each `${NAME}` in a value."""
    value = _written(text)
    place = value.find("${")
    if place < 0:
        return text
    unknown = Unknown(f"value of {value[place:]} where the job runs", _origin(text))
    return Text((*part(text, 0, place).pieces, unknown))


def _origin(text: Text) -> Origin:
    return text.pieces[0].origin if text.pieces else Origin(Span("", 0, 0), "literal")
