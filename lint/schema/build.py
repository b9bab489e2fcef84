"""Builds the schema of a verl tree: config files, entry points and the dataclasses behind `_target_`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lint.regular import regular
from lint.schema.behaviours import behaviours
from lint.schema.config_files import read_or_fault
from lint.schema.dataclass_types import read_classes
from lint.schema.entry_points import entry_point, module_name
from lint.schema.registered import registered
from lint.schema.schema import ConfigFile, EntryPoint, Schema
from lint.schema.source_tree import PACKAGE, SourceTree

_GENERATED = "_generated_"  # verl commits flattened copies of its own compositions under this name: nobody starts them


def build(tree: SourceTree) -> Schema:
    """The schema of a tree. Config files that cannot be read have a fault in place of content."""
    entry_points = dict(_entry_points(tree))
    places = sorted({point.folder for point in entry_points.values()})
    folders = {folder: dict(_config_files(tree, folder)) for folder in places}
    wanted = {target for files in folders.values() for file in files.values() for target in targets(file.body)}
    classes, aliases = read_classes(wanted, lambda module: _module(tree, module))
    return Schema(
        release=_release(tree),
        origin=tree.origin,
        sha256=tree.sha256,
        date=tree.date,
        entry_points=dict(sorted(entry_points.items())),
        folders=folders,
        classes=classes,
        aliases=aliases,
        instantiated=tuple(sorted(set(_instantiated(tree)))),
        behaviours=behaviours(tree),
        registered=registered(tree),
    )


def _entry_points(tree: SourceTree) -> Iterator[tuple[str, EntryPoint]]:
    for path in tree.paths():
        if path.endswith(".py"):
            data = tree.read(path) or b""
            if b"@hydra.main(" in data:
                found = entry_point(path, module_name(path), data.decode("utf-8", "replace"))
                if found is not None:
                    yield found.module, found


def _config_files(tree: SourceTree, folder: str) -> Iterator[tuple[str, ConfigFile]]:
    start = folder + "/"
    for path in tree.paths():
        if path.startswith(start) and path.endswith(".yaml"):
            name = path[len(start) :].removesuffix(".yaml")
            if not name.startswith(_GENERATED):
                yield name, read_or_fault((tree.read(path) or b"").decode("utf-8", "replace"), path)


def targets(node: Any) -> Iterator[str]:
    """Every `_target_` in a config file."""
    if isinstance(node, Mapping):
        target = node.get("_target_")
        if isinstance(target, str):
            yield target
        children: Iterable[Any] = node.values()
    elif isinstance(node, list):
        children = node
    else:
        return
    for child in children:
        yield from targets(child)


_CALL = regular(rb"\bomega_conf_to_dataclass\(\s*(?:\w+\s*=\s*)?(?:\w+\.)*?config\.([\w.]+)\s*[,)]")


def _instantiated(tree: SourceTree) -> Iterator[str]:
    """The ends of the nodes that `omega_conf_to_dataclass(self.config.rollout)` and its like are called with."""
    for path in tree.paths():
        if path.endswith(".py"):
            data = tree.read(path) or b""
            if b"omega_conf_to_dataclass" in data:
                yield from (match.decode() for match in _CALL.findall(data))


def _module(tree: SourceTree, module: str) -> tuple[str, str] | None:
    base = module.replace(".", "/")
    for path in (f"{base}.py", f"{base}/__init__.py"):
        data = tree.read(path)
        if data is not None:
            return path, data.decode("utf-8", "replace")
    return None


def _release(tree: SourceTree) -> str:
    """The version: of a wheel by its name, of a checkout by its version file."""
    named = re.match(rf"{PACKAGE}-([^-]+)-", tree.origin)
    if named:
        return named[1]
    for path in (f"{PACKAGE}/version/version", f"{PACKAGE}/version"):
        data = tree.read(path)
        if data:
            return data.decode("utf-8", "replace").strip()
    return "unknown"
