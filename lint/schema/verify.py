"""Holds a schema to real Hydra: every entry point, engine and config name is composed by both, and must be the same."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lint.frozen import frozen
from lint.schema.defaults import Choices, NotComposed, SearchPath
from lint.schema.schema import ENGINE_GROUPS, Schema
from lint.schema.source_tree import SourceTree
from lint.schema.tree import compose_tree


@frozen
class Case:
    """One composition: a primary config of a folder, with the options of an engine."""

    folder: str
    config_name: str
    engine: Mapping[str, str]

    @property
    def title(self) -> str:
        """For messages: `verl/trainer/config ppo_trainer model_engine=megatron`."""
        return " ".join((self.folder, self.config_name, *(f"{group}={name}" for group, name in self.engine.items())))


@frozen
class Difference:
    """Where ours and Hydra's composition differ. `ours` and `theirs` are the values, or the reasons of refusal."""

    case: Case
    key: str
    ours: Any
    theirs: Any


def cases(schema: Schema) -> Iterator[Case]:
    """Every primary config of every entry point, as it is and with each engine."""
    for folder in dict.fromkeys(point.folder for point in schema.entry_points.values()):
        files = schema.folders[folder]
        for name in sorted(path for path in files if "/" not in path):
            yield Case(folder, name, {})
            for group in ENGINE_GROUPS:
                if any(group in str(item) for item in files[name].defaults or ()):
                    for path in sorted(_search_path(schema, folder, name)):
                        if path.startswith(f"{group}/"):
                            yield Case(folder, name, {group: path.removeprefix(f"{group}/")})


def differences(schema: Schema, tree: SourceTree) -> Iterator[Difference]:
    """Compose every case with real Hydra, from the config files of `tree`, and compare."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place).resolve()
        for path in tree.paths():
            if path.endswith(".yaml"):
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_bytes(tree.read(path) or b"")
        for case in cases(schema):
            yield from _compare(case, _ours(schema, case), _theirs(schema, case, root))


def _search_path(schema: Schema, folder: str, name: str) -> dict[str, None]:
    """The paths of all config files that a primary config can see."""
    folders = (folder, *_added(schema, folder, name))
    return {path: None for one in folders for path in schema.folders[one]}


def _added(schema: Schema, folder: str, name: str) -> list[str]:
    hydra = schema.folders[folder][name].body.get("hydra")
    paths = hydra.get("searchpath", ()) if isinstance(hydra, dict) else ()
    named = [str(path).removeprefix("file://").removeprefix("pkg://") for path in paths]
    return [path for path in (name.replace(".", "/") for name in named) if path in schema.folders]


def _ours(schema: Schema, case: Case) -> Any:
    folders = (case.folder, *_added(schema, case.folder, case.config_name))
    search_path = SearchPath(tuple(schema.folders[folder] for folder in folders))
    try:
        return compose_tree(search_path, case.config_name, Choices(dict(case.engine))).tree
    except NotComposed as error:
        return error


def _theirs(schema: Schema, case: Case, root: Path) -> Any:
    from hydra import compose, initialize_config_dir
    from hydra.core.global_hydra import GlobalHydra
    from hydra.errors import HydraException
    from omegaconf import OmegaConf

    added = ",".join(f"file://{root / folder}" for folder in _added(schema, case.folder, case.config_name))
    overrides = [f"{group}={name}" for group, name in case.engine.items()]
    GlobalHydra.instance().clear()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with initialize_config_dir(config_dir=str(root / case.folder), version_base=None):
                config = compose(case.config_name, [f"hydra.searchpath=[{added}]", *overrides])
        return OmegaConf.to_container(config)
    except (HydraException, ValueError) as error:
        return error
    finally:
        GlobalHydra.instance().clear()


def _compare(case: Case, ours: Any, theirs: Any, key: str = "") -> Iterator[Difference]:
    if isinstance(ours, Exception) and isinstance(theirs, Exception):
        return
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for name in sorted({*ours, *theirs}, key=str):
            below = f"{key}.{name}" if key else str(name)
            yield from _compare(case, ours.get(name, "(absent)"), theirs.get(name, "(absent)"), below)
    elif ours != theirs or type(ours) is not type(theirs):
        yield Difference(case, key, ours, theirs)
