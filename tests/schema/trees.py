"""Small config folders and verl trees for tests."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

from lint.schema.config_files import read_config
from lint.schema.defaults import SearchPath

Files = Mapping[str, str]

ENGINES: Files = {
    "main.yaml": """\
defaults:
  - engine: plain
  - actor@role.actor: ${engine}_actor
  - optional extra: nothing
  - data@data: table
  - _self_
trainer: {epochs: 1, name: null, logger: [console]}
role: {common: 5}
""",
    "sharded_main.yaml": "defaults:\n  - main\n  - override engine: sharded\n  - _self_\n",
    "engine/plain.yaml": "# @package _global_\nengine: plain",
    "engine/sharded.yaml": "# @package _global_\nengine: sharded",
    "actor/actor.yaml": (
        "kind: ???\nlr: 1e-6\nkwargs: {}\nsteps: ${trainer.epochs}\ncopy: ${.lr}\nloggers: ${trainer.logger}"
    ),
    "actor/plain_actor.yaml": "defaults:\n  - ../optim@optim: adam\n  - actor\n  - _self_\nkind: plain\nsize: 1",
    "actor/sharded_actor.yaml": "defaults:\n  - ../optim@optim: sgd\n  - actor\n  - _self_\nkind: sharded\nshards: 8",
    "optim/adam.yaml": "beta: 0.9\nfuse: ${oc.select:role.common,7}",
    "optim/sgd.yaml": "momentum: 0.1",
    "data/table.yaml": "files: [a, b]\nsource: {path: ~/data, rows: null}",
    "data/stream.yaml": "url: http://x",
}

VERL: Files = {
    "verl/__init__.py": "",
    "verl/version/version": "0.9.1\n",
    "verl/trainer/__init__.py": "",
    "verl/trainer/main_ppo.py": """\
import hydra
@hydra.main(config_path="config", config_name="main", version_base=None)
def main(config):
    omega_conf_to_dataclass(config.role.actor)
""",
    "verl/trainer/config/__init__.py": "",
    "verl/classes.py": """\
from dataclasses import dataclass, field
from typing import Literal, Optional
@dataclass
class Base:
    _target_: str = ""
    lr: float = 0.1
@dataclass
class Actor(Base):
    kind: Literal["plain", "sharded"] = "plain"
    size: Optional[int] = None
""",
    **{f"verl/trainer/config/{path}": text for path, text in ENGINES.items()},
    "verl/trainer/config/actor/plain_actor.yaml": ENGINES["actor/plain_actor.yaml"]
    + "\n_target_: verl.classes.Actor\n",
}


def write(folder: Path, files: Files) -> Path:
    """Write files below a folder."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def write_wheel(path: Path, files: Files) -> Path:
    """Write a wheel with these files, all dated the same."""
    with zipfile.ZipFile(path, "w") as wheel:
        for name, text in files.items():
            wheel.writestr(zipfile.ZipInfo(name, (2026, 1, 2, 3, 4, 6)), text)
    return path


def search_path(files: Files) -> SearchPath:
    """A search path of one folder with these files."""
    return SearchPath(({path.removesuffix(".yaml"): read_config(text, path) for path, text in files.items()},))
