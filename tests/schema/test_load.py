"""The schemas that come with the tool."""

import pytest

from lint.schema.defaults import Choices, SearchPath
from lint.schema.load import UnknownRelease, load, shipped, version_key
from lint.schema.store import parse
from lint.schema.tree import compose_tree, leaves
from tests.timing import in_time


def test_five_releases_come_with_the_tool_oldest_first() -> None:
    assert shipped() == ("0.6.1", "0.7.1", "0.8.0", "0.9.0", "0.9.1")


@pytest.mark.parametrize("release", shipped())
def test_each_says_what_it_was_built_from(release: str) -> None:
    schema = load(release)
    assert schema.release == release
    assert schema.origin == f"verl-{release}-py3-none-any.whl"
    assert len(schema.sha256) == 64
    assert schema.date is not None
    assert "verl.trainer.main_ppo" in schema.entry_points


@pytest.mark.parametrize("release", shipped())
def test_each_composes_the_trainer(release: str) -> None:
    schema = load(release)
    files = schema.folders["verl/trainer/config"]
    tree = compose_tree(SearchPath((files,)), "ppo_trainer", Choices()).tree
    keys = {key for key, _ in leaves(tree)}
    assert {"trainer.total_epochs", "actor_rollout_ref.actor.optim.lr", "critic.optim.lr"} <= keys
    assert len(keys) > 400


def test_a_leading_v_is_taken() -> None:
    assert load("v0.9.1") is load("0.9.1") or load("v0.9.1").release == "0.9.1"


def test_an_unknown_release_comes_with_the_known_ones() -> None:
    with pytest.raises(UnknownRelease, match=r"0\.6\.1, 0\.7\.1, 0\.8\.0, 0\.9\.0, 0\.9\.1"):
        load("1.2.3")


def test_a_schema_loads_in_under_ten_milliseconds() -> None:
    from importlib.resources import files

    text = files("lint.schema").joinpath("data", "verl-0.9.1.json").read_text("utf-8")
    in_time(0.1, lambda: [parse(text) for _ in range(10)])


def test_releases_sort_by_age() -> None:
    assert sorted(["0.10.0", "0.9.1", "v0.9.0.dev", "0.6.1"], key=version_key)[0] == "0.6.1"
    assert version_key("0.9.0.dev") == version_key("v0.9.0") < version_key("0.10.0")
