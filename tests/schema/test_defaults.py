"""Defaults lists resolve as Hydra resolves them: every case is put to real Hydra, too."""

import random
from pathlib import Path

import pytest

from lint.launch.compose import compose
from lint.schema.defaults import Choices, NotComposed
from lint.schema.tree import compose_tree
from tests.launch.witness import ask_hydra, launch
from tests.schema.trees import ENGINES, search_path, write

BASE = {"x/one.yaml": "v: 1", "x/two.yaml": "v: 2\nw: 3", "y/one.yaml": "defaults:\n  - /x: one\nu: 4"}

CASES = {
    "no defaults list": {"main.yaml": "a: 1"},
    "self first": {"main.yaml": "defaults: [_self_, {x: one}]\nx: {v: 9}"},
    "self last": {"main.yaml": "defaults: [{x: one}, _self_]\nx: {v: 9}"},
    "self left out": {"main.yaml": "defaults: [{x: one}]\nx: {v: 9}"},
    "self twice": {"main.yaml": "defaults: [_self_, _self_]"},
    "package": {"main.yaml": "defaults: [{x@a.b: one}, {x@c: two}]"},
    "package _global_": {"main.yaml": "defaults: [{x@_global_: one}]"},
    "package _here_": {"main.yaml": "defaults: [{y@deep: inner}]", "y/inner.yaml": "defaults: [{/x@_here_: two}]"},
    "package _group_": {"main.yaml": "defaults: [{x@_group_.more: one}]"},
    "header": {"main.yaml": "defaults: [{z: one}]", "z/one.yaml": "# @package other.place\nq: 1"},
    "header _global_": {"main.yaml": "defaults: [{z: one}]", "z/one.yaml": "# @package _global_\nq: 1"},
    "package before header": {"main.yaml": "defaults: [{z@p: one}]", "z/one.yaml": "# @package _global_\nq: 1"},
    "absolute": {"main.yaml": "defaults: [{y: one}]"},
    "relative": {"main.yaml": "defaults: [{y: up}]", "y/up.yaml": "defaults: [{../x@n: two}]\nu: 1"},
    "plain config": {"main.yaml": "defaults: [x/one, x/two@t, other]", "other.yaml": "o: 1"},
    "override": {"main.yaml": "defaults: [base, {override x: two}]", "base.yaml": "defaults: [{x: one}]\nb: 1"},
    "override with package": {
        "main.yaml": "defaults: [base, {override x@p: two}]",
        "base.yaml": "defaults: [{x@p: one}]",
    },
    "override of nothing": {"main.yaml": "defaults: [{override x: two}]"},
    "override before others": {"main.yaml": "defaults: [{override x: two}, {x: one}]"},
    "outer override wins": {
        "main.yaml": "defaults: [mid, {override x: two}]",
        "mid.yaml": "defaults: [base, {override x: one}]",
        "base.yaml": "defaults: [{x: two}]",
    },
    "null option": {"main.yaml": "defaults: [{x: null}]\na: 1"},
    "list of options": {"main.yaml": "defaults: [{x: [one, two]}]"},
    "optional and there": {"main.yaml": "defaults: [{optional x: one}]"},
    "optional and absent": {"main.yaml": "defaults: [{optional x: nine}]\na: 1"},
    "absent option": {"main.yaml": "defaults: [{x: nine}]"},
    "absent config": {"main.yaml": "defaults: [nine]"},
    "mandatory option": {"main.yaml": "defaults: [{x: '???'}]"},
    "interpolation": {"main.yaml": "defaults: [{x: two}, {y@q: '${x}_y'}]", "y/two_y.yaml": "k: 1"},
    "interpolation of nothing": {"main.yaml": "defaults: [{y: '${nothing}'}]"},
    "override below interpolation": {
        "main.yaml": "defaults: [{x: two}, {y: '${x}_y'}]",
        "y/two_y.yaml": "defaults: [{override /x: one}]",
    },
    "same group twice": {"main.yaml": "defaults: [{x: one}, {x: two}]"},
    "same option twice": {"main.yaml": "defaults: [{x: one}, {x: one}]"},
    "list over dict": {"main.yaml": "defaults: [{x: one}, _self_]\nx: [1]"},
    "null over dict": {"main.yaml": "defaults: [{x: one}, _self_]\nx: null"},
    "dict over null": {"main.yaml": "defaults: [_self_, {x: one}]\nx: null"},
    "missing does not overwrite": {"main.yaml": "defaults: [{x: one}, _self_]\nx: {v: '???'}"},
}


@pytest.mark.parametrize("name", CASES)
def test_composes_as_hydra_does(name: str, tmp_path: Path) -> None:
    files = {**BASE, **CASES[name]}
    theirs = ask_hydra(write(tmp_path, files), "main", [])
    try:
        ours = compose_tree(search_path(files), "main", Choices()).tree
    except NotComposed:
        ours = None
    assert ours == theirs.config, theirs.reason


@pytest.mark.parametrize("seed", range(40))
def test_random_trees_compose_as_hydra_composes_them(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    files = random_tree(chance)
    folder = write(tmp_path, files)
    for choices in ({}, {"a": "two"}, {"b@p": "one"}, {"b": "two"}):
        theirs = ask_hydra(folder, "main", [f"{group}={option}" for group, option in choices.items()])
        try:
            ours = compose_tree(search_path(files), "main", Choices(dict(choices))).tree
        except NotComposed:
            ours = None
        assert ours == theirs.config, (files, choices, theirs.reason)


def random_tree(chance: random.Random) -> dict[str, str]:
    """Two groups of two options and a primary config, with random defaults lists, headers and keys."""
    files = {}
    for path in ("main", "a/one", "a/two", "b/one", "b/two"):
        items = [random_item(chance, path) for _ in range(chance.choice([0, 0, 1, 2]) + (path == "main"))]
        items.sort(key=lambda item: "override" in item)
        if items and chance.random() < 0.7:
            items.insert(chance.randint(0, sum("override" not in item for item in items)), "_self_")
        header = chance.choice(["", "", "", "# @package _global_\n", "# @package h\n"]) if "/" in path else ""
        body = "".join(f"k{chance.randint(1, 4)}{place}: {chance.randint(0, 9)}\n" for place in range(2))
        listed = "defaults: [" + ", ".join(items) + "]\n" if items else ""
        files[f"{path}.yaml"] = f"{header}{listed}{body}n: {{m: {chance.randint(0, 9)}}}\n"
    return files


def random_item(chance: random.Random, path: str) -> str:
    group = chance.choice(["a", "b"]) if path == "main" else "/b" if path.startswith("a") else chance.choice(["/c"])
    option = chance.choice(["one", "two", "two", "null", "three"])
    package = chance.choice(["", "", "@p", "@_global_", "@_here_"])
    word = chance.choice(["", "", "", "optional ", "override "]) if path == "main" else chance.choice(["", "optional "])
    return "{" + f"{word}{group}{package}: {option}" + "}"


@pytest.mark.parametrize(
    "words",
    [
        ["engine=sharded"],
        ["engine=nine"],
        ["actor@role.actor=plain_actor"],
        ["actor=plain_actor"],
        ["+actor@second=sharded_actor"],
        ["+data=stream"],
        ["~data"],
        ["~data=table"],
        ["~data=stream"],
        ["data=[table,stream]"],
        ["data=null"],
        ["data=3"],
        ["data={files:[x]}"],
        ["++data=stream"],
        ["data=stream", "data=table"],
        ["engine=sharded", "role.actor.shards=4"],
        ["role.actor.shards=4"],
        ["nothing@role=x"],
    ],
)
def test_group_overrides_do_what_they_do_in_hydra(words: list[str], tmp_path: Path) -> None:
    from tests.launch.test_compose import SMALL

    theirs = ask_hydra(write(tmp_path, ENGINES), "main", words)
    ours = compose(launch("python", "-m", "verl.trainer.main_ppo", *words), SMALL)
    assert (ours.tree if ours.rejected is None else None) == theirs.config, (theirs.reason, ours.problems)


def test_a_wrong_option_comes_with_those_that_exist() -> None:
    with pytest.raises(NotComposed) as caught:
        compose_tree(search_path(ENGINES), "main", Choices({"engine": "nine"}))
    assert caught.value.cause == "no-option"
    assert caught.value.key == "engine"
    assert caught.value.options == ("plain", "sharded")
