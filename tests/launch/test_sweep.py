"""The launches that one multirun starts, against Hydra's own sweeper."""

import pytest
from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra.core.override_parser.overrides_parser import OverridesParser

from lint.launch.sweep import MOST_OF_A_SWEEP, each_of_sweep
from tests.launch.unread import unread
from tests.launch.witness import launch

PPO = ("python3", "-m", "verl.trainer.main_ppo")
LAUNCH = "python3 -m verl.trainer.main_ppo --multirun"


def started(*words: str) -> list[list[str | None]]:
    return [[override.text.value for override in one.overrides] for one in each_of_sweep(launch(*PPO, *words))]


@pytest.mark.parametrize(
    "words",
    [
        ["trainer.nnodes=1,2"],
        ["trainer.nnodes=1,11", "data.shuffle=True", "trainer.name=a,b,c"],
        ["trainer.name='a b',\"c,d\"", "trainer.logger=[a],[b,c]"],
        ["trainer.nnodes=choice(1,2)", "trainer.seed=range(1,7,2)", "trainer.rate=range(0.5,2)"],
        ["trainer.nnodes=sort(3,1,2)", "trainer.name=str(choice(1,2))", "trainer.x=float(range(1,3))"],
        ["+optim@trainer.optim=adam,sgd", "++trainer.x=null,1", "engine=plain,sharded"],
        ["trainer.nnodes=2"],
    ],
)
def test_a_multirun_is_every_combination_that_hydra_makes_of_it(words: list[str]) -> None:
    (theirs,) = BasicSweeper.split_arguments(OverridesParser.create().parse_overrides(words), None)
    assert started("--multirun", *words) == theirs
    assert started("hydra.mode=MULTIRUN", *words) == [["hydra.mode=MULTIRUN", *found] for found in theirs]


def test_a_value_of_a_sweep_stands_where_it_is_written() -> None:
    first, second = each_of_sweep(launch(*PPO, "-m", "trainer.nnodes=1,16"))
    line = "python3 -m verl.trainer.main_ppo -m trainer.nnodes=1,16"
    spans = [found.overrides[0].value_span for found in (first, second)]
    assert [line[span.start : span.end] for span in spans] == ["1", "16"]


def test_each_launch_of_a_multirun_says_which_values_it_has() -> None:
    words = ("-m", "trainer.nnodes=1,2", "data.train_batch_size=64", "+trainer.x=choice(a,b)")
    each = [dict(one.chosen) for one in each_of_sweep(launch(*PPO, *words))]
    assert each == [{"trainer.nnodes": nodes, "trainer.x": value} for nodes in "12" for value in "ab"]


def test_without_multirun_a_launch_is_itself() -> None:
    assert started("trainer.nnodes=1,2") == [["trainer.nnodes=1,2"]]


def test_of_a_long_sweep_each_value_is_taken_once() -> None:
    found = started("-m", "trainer.nnodes=range(0,20)", "trainer.seed=range(0,30)")
    assert len(found) == 30 <= MOST_OF_A_SWEEP
    assert {one[0] for one in found} == {f"trainer.nnodes={number}" for number in range(20)}
    assert {one[1] for one in found} == {f"trainer.seed={number}" for number in range(30)}


def test_a_sweep_over_a_billion_values_is_begun() -> None:
    assert len(started("-m", "trainer.seed=shuffle(range(1,1000000000))")) == MOST_OF_A_SWEEP


def test_what_of_a_multirun_is_not_checked_is_named() -> None:
    many = f"of this multirun {MOST_OF_A_SWEEP} launches at most are checked: not every combination of its values"
    assert (1, many) in unread(f"{LAUNCH} trainer.nnodes='range(1,100)'")
    none = "trainer.nnodes sweeps over values that are not known: none of them is checked"
    assert (1, none) in unread(f"{LAUNCH} trainer.nnodes='interval(1,8)'")
    said = [reason for _, reason in unread(f"{LAUNCH} trainer.nnodes=1,2")]
    assert not {many, none} & set(said)
