"""Schemas of checkouts, and of entry points that other packages bring.

A checkout's schema is built once and kept by content in a cache folder: one file for each content hash, written whole
and renamed into place, so that runs at the same time do not disturb each other. A cache file that cannot be read is
built anew.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from lint.files.discovery import shown_path, text_of
from lint.schema.behaviours import fingerprint
from lint.schema.build import build, targets
from lint.schema.config_files import read_or_fault
from lint.schema.dataclass_types import read_classes
from lint.schema.entry_points import entry_point
from lint.schema.schema import ConfigFile, Fault, Schema
from lint.schema.source_tree import NotATree, open_tree
from lint.schema.store import FORMAT, BadSchema, dump, parse


@lru_cache(maxsize=8)
def checkout_schema(path: Path, cache: Path | None = None) -> Schema:
    """The schema of a checkout (or a wheel), kept in the folder `cache` if one is given, or the one in a file that
    `schema build` wrote. Raises `NotATree`, `BadSchema`."""
    if path.suffix == ".json":
        return parse(path.read_text("utf-8"))
    tree = open_tree(path)
    if cache is None:
        return build(tree)
    identity = hashlib.sha256(f"{FORMAT} {fingerprint()} {tree.sha256}".encode()).hexdigest()
    kept = cache / f"schema-{identity}.json"
    try:
        return replace(parse(kept.read_text("utf-8")), origin=tree.origin)
    except (OSError, BadSchema, UnicodeDecodeError):
        pass
    schema = build(tree)
    _keep(kept, dump(schema))
    return schema


def unusable(path: Path) -> str | None:
    """Why a file is no verl to check against, if it is none."""
    try:
        checkout_schema(path) if path.suffix == ".json" else open_tree(path)
    except NotATree as error:
        return str(error)
    except (BadSchema, OSError, UnicodeDecodeError) as error:
        return f"{path}: {error}"
    return None


def _keep(path: Path, text: str) -> None:
    """Write a file whole or not at all; a cache that cannot be written is done without."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".schema-")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(name, path)
        except OSError:
            os.unlink(name)
    except OSError:
        return


# --------------------------------------------------------------------------------------- entry points of other packages


def with_entry_point(schema: Schema, module: str, roots: tuple[Path, ...]) -> Schema:
    """The schema with the entry point `module` added, if one of the folders `roots` holds it and it is Hydra's.

    Its config folder is read from disk; what it takes from `pkg://verl.trainer.config` comes from the schema.
    """
    if module in schema.entry_points:
        return schema
    for root in roots:
        found = extended(schema, module, root)
        if found is not None:
            return found
    return schema


def with_config_folder(schema: Schema, folder: str, roots: tuple[Path, ...]) -> Schema:
    """The schema with a config folder added that `--config-path` or `--config-dir` names, if a root holds it."""
    if folder in schema.folders:
        return schema
    for root in roots:
        files = _folder_files(root, folder)
        if files:
            return replace(schema, folders={**schema.folders, folder: files})
    return schema


@lru_cache(maxsize=64)
def extended(schema: Schema, module: str, root: Path) -> Schema | None:
    """The schema with what a root holds of a module; None if it does not hold the module, or lacks its configs."""
    found = _read_module(root, module)
    if found is None:
        return None
    point = entry_point(found[0], module, found[1])
    if point is None:
        return replace(schema, others=(*schema.others, module))
    files = dict(schema.folders.get(point.folder) or _folder_files(root, point.folder))
    if not files:
        return None
    wanted = {target for file in files.values() for target in targets(file.body)} - set(schema.classes)
    classes, aliases = read_classes(wanted - set(schema.aliases), lambda name: _read_module(root, name))
    return replace(
        schema,
        entry_points={**schema.entry_points, module: point},
        folders={**schema.folders, point.folder: files},
        classes={**schema.classes, **classes},
        aliases={**schema.aliases, **aliases},
    )


def _read_module(root: Path, module: str) -> tuple[str, str] | None:
    base = module.replace(".", "/")
    for path in (f"{base}.py", f"{base}/__init__.py", f"{base}/__main__.py"):
        text = text_of(str(root / path))
        if text is not None:
            return path, text
    return None


MOST_ENTRIES = 20_000  # of a config folder; a larger one is no config folder


def _folder_files(root: Path, folder: str) -> dict[str, ConfigFile]:
    """The config files of a folder inside `root`; none for a path that leads out of it."""
    if os.path.isabs(folder) or ".." in Path(folder).parts:
        return {}
    return dict(_read_folder(root / folder))


def _read_folder(top: Path) -> Iterator[tuple[str, ConfigFile]]:
    seen = 0
    for inside, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        seen += len(folders) + len(names)
        if seen > MOST_ENTRIES:
            return
        for name in sorted(names):
            path = Path(inside, name)
            relative = path.relative_to(top).as_posix()
            if name.endswith(".yaml"):
                text = text_of(str(path))
                if text is not None:
                    yield relative.removesuffix(".yaml"), read_or_fault(text, shown_path(str(path)))
                elif path.is_symlink():
                    reason = f"{shown_path(str(path))} is a link to {os.readlink(path)}, which is not here"
                    yield relative.removesuffix(".yaml"), ConfigFile(None, None, {}, Fault(reason, refused=False))
