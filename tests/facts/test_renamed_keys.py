"""The table of changed keys against the schemas: every row must be true of the releases that come with the tool."""

from collections.abc import Iterator
from functools import cache

import pytest

from lint.facts.renamed_keys import KeyChange, change_of, key_changes, present_name
from lint.schema.defaults import Choices, NotComposed, SearchPath
from lint.schema.load import load, shipped
from lint.schema.tree import compose_tree

CONFIG = "verl/trainer/config"


@cache
def keys(release: str) -> frozenset[str]:
    """Every key and node of a release: all primary configs, all engines."""
    files = load(release).folders[CONFIG]
    found: set[str] = set()
    for name in [path for path in files if "/" not in path]:
        for choices in engines(files):
            try:
                found.update(nodes(compose_tree(SearchPath((files,)), name, Choices(choices)).tree))
            except NotComposed:
                continue
    return frozenset(found)


def engines(files: object) -> Iterator[dict[str, str]]:
    yield {}
    assert hasattr(files, "__iter__")
    for path in files:
        group, _, option = path.partition("/")
        if group == "model_engine":
            yield {group: option}
        elif group == "engine":
            yield {group: option}
            yield {group: option, "optim": option}


def nodes(tree: dict[str, object], prefix: str = "") -> Iterator[str]:
    for name, value in tree.items():
        yield f"{prefix}{name}"
        if isinstance(value, dict):
            yield from nodes(value, f"{prefix}{name}.")


def matching(change: KeyChange, release: str) -> list[str]:
    return sorted(key for key in keys(release) if change.matches(key))


def title(change: KeyChange) -> str:
    return f"{change.since} {change.old}"


@pytest.mark.parametrize("change", key_changes(), ids=title)
def test_a_changed_key_was_in_the_release_before(change: KeyChange) -> None:
    before = shipped()[shipped().index(change.since) - 1]
    if change.old == "reward_model.reward_kwargs.*":
        pytest.skip("it was never in the config: scripts add it with +")
    assert matching(change, before)


@pytest.mark.parametrize("change", [one for one in key_changes() if one.kind != "ignored"], ids=title)
def test_a_moved_key_is_gone(change: KeyChange) -> None:
    assert matching(change, change.since) == []


@pytest.mark.parametrize("change", [one for one in key_changes() if one.kind == "ignored"], ids=title)
def test_an_ignored_key_is_still_taken(change: KeyChange) -> None:
    if change.old == "reward_model.reward_kwargs.*":
        pytest.skip("it was never in the config: scripts add it with +")
    assert matching(change, change.since)


@pytest.mark.parametrize("change", [one for one in key_changes() if one.new], ids=title)
def test_the_new_key_exists(change: KeyChange) -> None:
    assert change.new is not None
    if change.new == "reward.reward_kwargs.*":
        pytest.skip("it is read if a script adds it with +")
    assert change.new.removesuffix(".*") in keys(change.since)


@pytest.mark.parametrize("change", key_changes(), ids=title)
def test_a_change_has_a_source(change: KeyChange) -> None:
    assert change.source.startswith(("verl ", "wheels "))


def test_translates_what_is_below_a_node() -> None:
    change = change_of("critic.model.fsdp_config.param_offload", "0.9.1", ("renamed",))
    assert change is not None
    assert change.translate("critic.model.fsdp_config.param_offload") == "critic.fsdp.param_offload"


def test_a_key_is_followed_through_several_renamings() -> None:
    key = "actor_rollout_ref.rollout.skip_rollout"
    assert present_name(key, "0.7.1") == key
    assert present_name(key, "0.8.0") == "actor_rollout_ref.rollout.skip.enable"
    assert present_name(key, "0.9.1") == "skip.rollout.enable"


def test_a_removed_key_has_no_name() -> None:
    assert present_name("trainer.use_legacy_worker_impl", "0.8.0") is None
    assert present_name("trainer.total_epochs", "0.9.1") == "trainer.total_epochs"


@pytest.mark.parametrize(
    ("entry_point", "release", "ignored"),
    [
        ("verl.trainer.main_ppo", "0.8.0", False),
        ("verl.trainer.main_ppo", "0.9.0", True),
        ("verl.trainer.main_ppo_sync", "0.8.0", True),
        ("verl.experimental.fully_async_policy.fully_async_main", "0.9.1", False),
    ],
)
def test_legacy_reward_keys_are_read_by_some_entry_points(entry_point: str, release: str, ignored: bool) -> None:
    found = change_of("reward_model.reward_manager", release, ("ignored",), entry_point)
    assert (found is not None) is ignored
