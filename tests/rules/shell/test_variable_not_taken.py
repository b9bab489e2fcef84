"""A variable that a wrapper hands to a script, which reads another: only where the two names are surely one."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.rules.pipeline import found

LAUNCH = "python3 -m verl.trainer.main_ppo trainer.nnodes=${NUM_NODES:-1} $(source extra.sh)\n"
BESIDE = {"train.sh": LAUNCH, "extra.sh": "echo ${TP_SIZE:-1} $NUM_NODE_TYPES\n"}


def messages(script: str, beside: Mapping[str, str] = BESIDE) -> list[str]:
    return [one.message for one in found("variable-not-taken", script, beside=beside)]


@pytest.mark.parametrize("script", ["NUM_NODE=2 bash train.sh\n", "export NUM_NODE=2\nbash ./train.sh\n"])
def test_a_name_that_nothing_reads_is_told_with_the_one_that_is(script: str) -> None:
    assert messages(script) == [
        "nothing that this command runs reads NUM_NODE; the script reads NUM_NODES, with a default"
    ]


@pytest.mark.parametrize(
    "script",
    [
        "NUM_NODES=2 bash train.sh\n",
        "NUM_NODE=2 NUM_NODES=2 bash train.sh\n",  # the name that is read is given, too
        "NUM_NODE_TYPES=2 bash train.sh\n",  # a file that the script reads mentions it
        "SEED=2 bash train.sh\n",  # like nothing that is read: a program may want it
        "bash train.sh\nexport NUM_NODE=2\n",  # too late to be handed on
        "NUM_NODE=2 bash nowhere.sh\n",
    ],
)
def test_anything_else_is_left_alone(script: str) -> None:
    assert messages(script) == []
