"""Workflow files of GitHub: the `run:` steps of each job, with what is given to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from lint.callers import expressions
from lint.callers.expressions import Names
from lint.callers.written import Written, written
from lint.frozen import frozen
from lint.regular import regular
from lint.text import Source

if TYPE_CHECKING:
    import yaml

    Tree = Mapping[str, yaml.Node]

Variables = Mapping[str, "str | None"]
"""Environment variables with their values; None where only a run can tell."""

_NULL = "tag:yaml.org,2002:null"
Entries = Mapping[str, tuple[int, int]]
"""Where variables are given in an `env:`: the offsets in the file at which name and value begin and end."""

SHELLS = regular(r"(?:/\S*/)?(?:ba)?sh(?:\s|\Z)")
_NEVER = regular(r"\s*(?:\$\{\{\s*false\s*\}\}|false)\s*")
_TO_LATER_STEPS = regular(r"^.*\bGITHUB_ENV\b.*$", re.MULTILINE)
_ASSIGNED = regular(r"(?<!\$)\b([A-Za-z_]\w*)(?:=|<<)")


@frozen
class Step:
    """One `run:` step in one row of its job's matrix."""

    job: str
    text: Written  # for bash, with expressions still in it
    environment: Variables  # of workflow, job, container and step
    entries: Entries
    names: Names  # what expressions may name
    folder: str  # that it runs in, relative to the repository
    labels: tuple[str, ...]  # of the runners that may run it, as far as they are written down


def steps(source: Source) -> Iterator[Step]:
    """Every step of a workflow that bash or sh runs; none of a file that is no workflow."""
    import yaml  # few runs need it, and it takes longer to import than most scripts to read

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        workflow = _mapping(yaml.compose(source.text, Loader=loader))
    except (yaml.YAMLError, ValueError, RecursionError):
        return
    for name, node in _mapping(workflow.get("jobs")).items():
        job = _mapping(node)
        if not _NEVER.fullmatch(_text(job.get("if"))):
            for row in _matrix(job, source.text):
                yield from _of_job(source.text, workflow, name, job, row)


def _of_job(file: str, workflow: Tree, name: str, job: Tree, row: Variables) -> Iterator[Step]:
    names = {f"matrix.{key}": known for key, known in row.items()}
    given: Variables = {}
    entries: Entries = {}
    for level in (workflow, job, _mapping(job.get("container"))):
        entries = {**entries, **_entries(level.get("env"), file)}
        given = {**given, **_variables(level.get("env"), {**names, **_named(given)})}
    labels = tuple(_labels(job.get("runs-on"), {**names, **_named(given)}))
    defaults = [_mapping(_mapping(level.get("defaults")).get("run")) for level in (workflow, job)]
    for node in _items(job.get("steps")):
        step = _mapping(node)
        run = _scalar(step.get("run"))
        shell, folder = (_first(key, step, *reversed(defaults)) for key in ("shell", "working-directory"))
        own = _variables(step.get("env"), {**names, **_named(given)})
        known = {**names, **_named({**given, **own})}
        if run is not None and (not shell or SHELLS.match(shell)) and not _NEVER.fullmatch(_text(step.get("if"))):
            place = expressions.filled(folder, known)
            if place is not None:
                places = {**entries, **_entries(step.get("env"), file)}
                yield Step(name, written(file, run), {**given, **own}, places, known, place, labels)
        if run is not None:
            handed = _handed_on(run.value)
            given = {**given, **handed}
            entries = {one: place for one, place in entries.items() if one not in handed}


def _handed_on(text: str) -> Variables:
    """The variables that a step writes for the steps after it, whose values are not known: those of the line that
    writes, or of any, where that is the end of a group or the head of a heredoc."""
    lines = _TO_LATER_STEPS.findall(text)
    return {name: None for line in lines for name in _ASSIGNED.findall(line) or _ASSIGNED.findall(text)}


def _named(given: Variables) -> Names:
    return {f"env.{name}": known for name, known in given.items()}


def _variables(node: yaml.Node | None, names: Names) -> Variables:
    """The `env:` of a level."""
    return {name: expressions.filled(_text(value), names) for name, value in _mapping(node).items()}


def _entries(node: yaml.Node | None, file: str) -> Entries:
    """Where the `env:` of a level gives each of its variables."""
    import yaml

    found = {}
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if isinstance(key, yaml.ScalarNode):
            start, end = key.start_mark.index, value.end_mark.index
            follows = key.end_mark.index <= end  # an alias has its value somewhere else
            found[key.value] = (start, start + len(file[start:end].rstrip()) if follows else key.end_mark.index)
    return found


def _labels(node: yaml.Node | None, names: Names) -> Iterator[str]:
    """The labels of `runs-on`: one, a list, or `{group, labels}`."""
    for one in _items(_mapping(node).get("labels", node)):
        yield from expressions.choices(_text(one), names)


def _matrix(job: Tree, file: str) -> Iterator[Variables]:
    """The rows of a job's matrix. What is computed is not known."""
    node = _mapping(job.get("strategy")).get("matrix")
    if node is None:
        yield {}
        return
    matrix = _mapping(node)
    listed = {name: _items(value) for name, value in matrix.items() if name not in ("include", "exclude")}
    if not matrix or any(len(items) == 1 and "${{" in _text(items[0]) for items in listed.values()):
        yield dict.fromkeys(re.findall(r"\bmatrix\.([\w-]+)", file))
        return
    axes = {name: [_known(item) for item in items] for name, items in listed.items()}
    included, excluded = (
        [{name: _known(item) for name, item in _mapping(row).items()} for row in _items(matrix.get(key))]
        for key in ("include", "exclude")
    )
    yield from expressions.rows(axes, included, excluded)


# ------------------------------------------------------------------------------------------------------------ nodes


def _mapping(node: yaml.Node | None) -> Tree:
    """The values of a mapping by their keys; nothing for another node."""
    import yaml

    if not isinstance(node, yaml.MappingNode):
        return {}
    return {key.value: value for key, value in node.value if isinstance(key, yaml.ScalarNode)}


def _items(node: yaml.Node | None) -> list[yaml.Node]:
    """The items of a list; a value that stands alone is one."""
    import yaml

    if isinstance(node, yaml.SequenceNode):
        return list(node.value)
    return [] if node is None else [node]


def _scalar(node: yaml.Node | None) -> yaml.ScalarNode | None:
    import yaml

    return node if isinstance(node, yaml.ScalarNode) else None


def _text(node: yaml.Node | None) -> str:
    scalar = _scalar(node)
    return "" if scalar is None or scalar.tag == _NULL else str(scalar.value)


def _known(node: yaml.Node) -> str | None:
    scalar = _scalar(node)
    return None if scalar is None or "${{" in scalar.value else _text(scalar)


def _first(key: str, *levels: Tree) -> str:
    """The text of a key at the innermost level that has it."""
    return next((_text(level[key]) for level in levels if key in level), "")
