"""The primary config of a launch: which folders Hydra searches, and the name of the config it starts from."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from lint.bash.reading import Text, Unknown
from lint.frozen import frozen
from lint.launch.launch import Launch
from lint.launch.override import BadOverride, parse
from lint.likeness import is_one_slip
from lint.schema.defaults import SearchPath
from lint.schema.entry_points import config_folder
from lint.schema.load import load, shipped
from lint.schema.schema import ConfigFile, EntryPoint, Schema


@dataclass(frozen=True, eq=False)
class Primary:
    """Where a composition starts. Equal if search path and name are, so that a composition can be remembered.

    `missing_module` is the entry point's module if the release has none of that name; the config is then the one that
    the module starts from in another release.
    """

    folders: tuple[Mapping[str, ConfigFile], ...]
    names: tuple[str, ...]  # of the folders
    config_name: str
    missing_module: str | None = None
    unknown_paths: tuple[str, ...] = ()  # of the search path, that are not part of the schema

    @property
    def search_path(self) -> SearchPath:
        return SearchPath(self.folders)

    def _identity(self) -> tuple[Any, ...]:
        return (*(id(folder) for folder in self.folders), self.config_name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Primary) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())


@frozen
class NoPrimary:
    """Hydra finds no primary config."""

    cause: Literal["no-entry-point", "no-config-folder", "no-primary"]
    message: str
    key: str


@frozen
class Unchecked:
    """A launch that cannot be composed, and why."""

    reason: str


def primary_of(launch: Launch, schema: Schema) -> Primary | NoPrimary | Unchecked:
    """The primary config that a launch starts from in one release."""
    point = schema.entry_points.get(launch.entry_point)
    missing_module = None if point else launch.entry_point
    if point is None:
        point = _elsewhere(launch.entry_point, schema)
    if point is None:
        if _is_absent(launch.entry_point, schema):
            message = f"verl {schema.release} has no entry point {launch.entry_point}"
            return NoPrimary("no-entry-point", message, launch.entry_point)
        return Unchecked(f"the config of {launch.entry_point} is not known")
    named = _known_text(launch.config_name)
    names = _named_folders(launch, schema, point)
    if names is None or (named is None and launch.config_name is not None):
        return Unchecked("a --config flag has a value that only a run could tell")
    name = named or point.config_name
    if name is None:
        return Unchecked(f"{launch.entry_point} names no config")
    missing = [folder for folder in names if folder not in schema.folders]
    if missing and "<" in missing[0]:
        return Unchecked(f"config folder {missing[0]} is a placeholder")
    if missing:
        beside_module = launch.config_dir is None and _known_text(launch.config_path) is not None
        if not beside_module or posixpath.isabs(missing[0]):
            return Unchecked(f"config folder {missing[0]} is not part of verl {schema.release}")
        return NoPrimary("no-config-folder", f"there is no config folder {missing[0]}", missing[0])
    name = name.removesuffix(".yaml")
    loaded = SearchPath(tuple(schema.folders[folder] for folder in names)).file(name)
    added = [] if loaded is None else _search_path(launch, schema, loaded.body)
    names = list(dict.fromkeys([*names, *(folder for folder in added if folder in schema.folders)]))
    unknown = tuple(folder for folder in added if folder not in schema.folders)
    return Primary(tuple(schema.folders[folder] for folder in names), tuple(names), name, missing_module, unknown)


def _is_absent(module: str, schema: Schema) -> bool:
    """Whether a module is certainly no program of a release: another release has it, it is one slip away from one, or
    it would stand where all of verl's are. A checkout holds whatever else it has; wheels lack `verl.experimental`."""
    elsewhere = any(module in load(release).entry_points for release in shipped())
    if elsewhere or any(is_one_slip(module, known) for known in schema.entry_points):
        return True
    here = module.replace("/", ".")  # `-m verl/trainer/main_ppo` names no module
    return here.startswith("verl." if schema.date is None else "verl.trainer.") and module not in schema.others


def searched_folders(launch: Launch, schema: Schema) -> list[str]:
    """Folders of `hydra.searchpath` that are no part of the schema, relative to where the launch starts."""
    primary = primary_of(launch, schema)
    paths = primary.unknown_paths if isinstance(primary, Primary) else ()
    return [path.removeprefix("file://") for path in paths if not path.startswith("pkg://")]


def config_folders(launch: Launch, schema: Schema) -> list[str]:
    """The folders that a launch's flags name, as far as they are known; empty for an unknown entry point."""
    point = schema.entry_points.get(launch.entry_point)
    return [] if point is None else _named_folders(launch, schema, point) or []


def _named_folders(launch: Launch, schema: Schema, point: EntryPoint) -> list[str] | None:
    """The folders of the flags, else that of the entry point; None if a flag is not known.

    A relative `--config-path` counts from the entry point's file.
    """
    names = [point.folder]
    if launch.config_path is not None:
        path = _path(launch.config_path)
        if path is None:
            return None
        base = posixpath.dirname(launch.entry_point.replace(".", "/"))
        inside = launch.config_path.value is not None and not posixpath.isabs(path)
        names = [config_folder(base, path) if inside else _known_folder(path, schema)]
    if launch.config_dir is not None:
        path = _path(launch.config_dir)
        if path is None:
            return None
        names.append(_known_folder(path, schema))
    return names


def _path(text: Text | None) -> str | None:
    """The path that a flag names. One that begins in an unknown working directory is taken from the top of the
    checkout, where scripts are started."""
    if text is None or text.value is not None:
        return None if text is None else text.value
    first, *rest = text.pieces
    known = Text(tuple(rest)).value
    if isinstance(first, Unknown) and "working directory" in first.reason and known and known.startswith("/"):
        return known.lstrip("/")
    return None


def _elsewhere(module: str, schema: Schema) -> EntryPoint | None:
    """The entry point as the newest other release has it, if this one has its config folder."""
    for release in reversed(shipped()):
        point = load(release).entry_points.get(module)
        if point is not None and point.folder in schema.folders:
            return point
    return None


def _known_text(text: Text | None) -> str | None:
    return None if text is None else text.value


def _known_folder(path: str, schema: Schema) -> str:
    """The folder of the schema that a path on some machine means, the path itself if it is none."""
    path = posixpath.normpath(path.removeprefix("file://"))
    for folder in schema.folders:
        if path == folder or path.endswith("/" + folder):
            return folder
    return path


def _search_path(launch: Launch, schema: Schema, body: Mapping[str, Any]) -> list[str]:
    """The folders that `hydra.searchpath` adds: of the command line, else of the primary config. A path that is no
    folder of the schema stays as it is written."""
    hydra = body.get("hydra")
    paths = hydra.get("searchpath") if isinstance(hydra, dict) else None
    for override in launch.overrides:
        if override.key == "hydra.searchpath" and override.prefix == "":
            try:
                paths = parse(launch.command.words[override.index].value or "").value
            except BadOverride:
                continue
            break
    found = []
    for path in paths if isinstance(paths, list) else ():
        if isinstance(path, str):
            folder = config_folder("", path) if path.startswith("pkg://") else _known_folder(path, schema)
            found.append(folder if folder in schema.folders else path)
    return found
