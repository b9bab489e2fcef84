"""Schemas of checkouts are kept by content; entry points of other packages are read from their files."""

import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from lint.launch.compose import compose
from lint.launch.foreign import with_launch_config
from lint.schema.checkout import checkout_schema, with_entry_point
from lint.schema.load import load, nearest_release, release_of
from lint.schema.schema import Schema
from lint.schema.source_tree import NotATree
from lint.schema.store import dump
from tests.launch.witness import launch
from tests.schema.trees import VERL, write


def fresh(tree: Path, cache: "Path | None" = None) -> Schema:
    """The schema of a tree, read again."""
    checkout_schema.cache_clear()
    return checkout_schema(tree, cache)


def built(arguments: "tuple[str, str]") -> str:
    tree, cache = arguments
    return dump(fresh(Path(tree), Path(cache)))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write(tmp_path / "tree", VERL)


def test_the_cache_gives_what_was_built(tree: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first, second = fresh(tree, cache), fresh(tree, cache)
    assert dump(first) == dump(second) == dump(fresh(tree))
    assert len(list(cache.iterdir())) == 1


def test_a_change_of_content_is_noticed(tree: Path, tmp_path: Path) -> None:
    fresh(tree, tmp_path / "cache")
    write(tree, {"verl/trainer/config/data/table.yaml": "files: [other]"})
    files = fresh(tree, tmp_path / "cache").folders["verl/trainer/config"]
    assert files["data/table"].body == {"files": ["other"]}


@pytest.mark.parametrize("rest", [b"", b"{", b"\xff\xfe", b'{"format": 0}'])
def test_a_spoiled_cache_is_built_anew(rest: bytes, tree: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    expected = dump(fresh(tree, cache))
    for file in cache.iterdir():
        file.write_bytes(rest)
    assert dump(fresh(tree, cache)) == expected
    assert all(file.read_bytes() != rest for file in cache.iterdir())


def test_a_cache_that_cannot_be_written_is_done_without(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert dump(fresh(tree, tmp_path / "file" / "cache")) == dump(fresh(tree))


def test_processes_may_build_at_the_same_time(tree: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    with ProcessPoolExecutor(4) as pool:
        texts = list(pool.map(built, [(str(tree), str(cache))] * 8))
    assert len(set(texts)) == 1
    assert not [name for name in os.listdir(cache) if name.startswith(".")]


def test_a_folder_without_verl_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotATree):
        fresh(tmp_path)


@pytest.mark.parametrize(
    ("release", "nearest"),
    [("0.9.1", "0.9.1"), ("0.9.0.dev", "0.9.0"), ("0.10.0.dev", "0.9.1"), ("0.8.5", "0.8.0"), ("0.1", "0.6.1")],
)
def test_a_version_has_a_nearest_release(release: str, nearest: str) -> None:
    assert nearest_release(release) == nearest


@pytest.mark.parametrize(
    ("release", "keys_of", "counts_as"),
    [("0.8.0.dev", "0.7.1", "0.7.1"), ("0.8.0.dev", "0.8.0", "0.8.0"), ("0.7.1", "0.7.1", "0.7.1")],
)
def test_a_development_version_counts_as_what_its_code_is(release: str, keys_of: str, counts_as: str) -> None:
    assert release_of(replace(load(keys_of), release=release)) == counts_as


# --------------------------------------------------------------------------------------- entry points of other packages

MINE = {
    "mine/train.py": 'import hydra\n@hydra.main(config_path="config", config_name="mine")\ndef main(c): pass\n',
    "mine/config/mine.yaml": """\
hydra:
  searchpath: [pkg://verl.trainer.config]
defaults: [main, _self_]
trainer: {epochs: 7}
own: {_target_: mine.classes.Own, size: 1}
""",
    "mine/classes.py": "from dataclasses import dataclass\n@dataclass\nclass Own:\n    size: int = 1\n",
    "mine/plain.py": "print()",
    "more/extra.yaml": "defaults: [main, _self_]\nextra: 1\n",
}


def test_a_config_of_another_package_is_composed_on_top_of_verls(tree: Path, tmp_path: Path) -> None:
    root = write(tmp_path / "mine-repository", MINE)
    started = launch("python3", "-m", "mine.train", "own.size=2", "trainer.epochs=8")
    schema = with_launch_config(fresh(tree), started, (root,))
    found = compose(started, schema)
    assert (found.rejected, found.unchecked) == (None, None)
    assert found.config.settings["trainer.epochs"].default == 7
    assert found.config.settings["role.actor.size"].value == 1
    assert set(schema.fields("mine.classes.Own") or ()) == {"size"}


def test_a_mistake_in_it_is_found(tree: Path, tmp_path: Path) -> None:
    root = write(tmp_path / "mine-repository", MINE)
    started = launch("python3", "-m", "mine.train", "own.sizes=2")
    rejected = compose(started, with_launch_config(fresh(tree), started, (root,))).rejected
    assert rejected is not None
    assert rejected.key == "own.sizes"


def test_what_is_not_there_changes_nothing(tree: Path, tmp_path: Path) -> None:
    schema = fresh(tree)
    root = write(tmp_path / "mine-repository", MINE)
    for module in ("mine.nothing", "..", "/etc/passwd", "a" * 5000):
        assert with_entry_point(schema, module, (root,)) is schema


def test_a_module_without_hydra_is_only_there(tree: Path, tmp_path: Path) -> None:
    root = write(tmp_path / "mine-repository", MINE)
    found = with_entry_point(fresh(tree), "mine.plain", (root,))
    assert ("mine.plain" in found.entry_points, found.others) == (False, ("mine.plain",))


def test_a_module_of_verl_that_a_folder_holds_without_hydra_is_not_missing(tree: Path, tmp_path: Path) -> None:
    root = write(tmp_path / "fork", {"verl/trainer/mine.py": "import sys\n"})
    started = launch("python3", "-m", "verl.trainer.mine", "a.b=1")
    assert compose(started, fresh(tree)).rejected is not None
    assert compose(started, with_launch_config(fresh(tree), started, (root,))).rejected is None


def test_a_config_folder_of_ones_own_is_read(tree: Path, tmp_path: Path) -> None:
    root = write(tmp_path / "mine-repository", MINE)
    started = launch("python3", "-m", "verl.trainer.main_ppo", "--config-dir=more", "--config-name=extra", "extra.x=1")
    rejected = compose(started, with_launch_config(fresh(tree), started, (root,))).rejected
    assert rejected is not None
    assert rejected.key == "extra.x"


BESIDE = {
    "mine/train.py": MINE["mine/train.py"],
    "mine/config/mine.yaml": "hydra: {searchpath: [file://more]}\ndefaults: [beside, _self_]\n",
}


def test_a_folder_of_the_search_path_beside_the_package_is_read(tree: Path, tmp_path: Path) -> None:
    root = write(tmp_path / "mine-repository", {**BESIDE, "more/beside.yaml": "trainer: {epochs: 1}\n"})
    started = launch("python3", "-m", "mine.train", "trainer.epochs=2")
    assert compose(started, with_launch_config(fresh(tree), started, (root,))).rejected is None


def test_a_config_that_a_folder_not_at_hand_may_have_is_not_missing(tree: Path, tmp_path: Path) -> None:
    root = write(tmp_path / "mine-repository", BESIDE)
    started = launch("python3", "-m", "mine.train", "trainer.epochs=2")
    found = compose(started, with_launch_config(fresh(tree), started, (root,)))
    assert found.rejected is None
    assert found.unchecked == "there is no config `beside`, and what file://more holds is not known"


def test_a_config_that_is_a_link_to_a_submodule_not_checked_out_is_not_missing(tree: Path, tmp_path: Path) -> None:
    root = write(tmp_path / "mine-repository", {**BESIDE, "mine/config/mine.yaml": "defaults: [beside, _self_]\n"})
    (root / "mine/config/beside.yaml").symlink_to("../../verl/beside.yaml")
    started = launch("python3", "-m", "mine.train", "trainer.epochs=2")
    found = compose(started, with_launch_config(fresh(tree), started, (root,)))
    assert found.rejected is None
    assert (found.unchecked or "").endswith("is a link to ../../verl/beside.yaml, which is not here")
