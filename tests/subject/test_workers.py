"""Where a finding about an environment variable stands: at its assignment, else at the text that decides it."""

from __future__ import annotations

import pytest

from tests.rules.pipeline import found

LAUNCH = "python3 -m verl.trainer.main_ppo trainer.device=npu trainer.n_gpus_per_node=8\n"


def test_another_program_brings_images_of_its_own() -> None:
    start = "export VLLM_USE_V1=1\npython3 -m {} trainer.device=npu\n"
    assert not found("environment-not-read", start.format("skyrl.train.entrypoints.main_base"))
    assert found("environment-not-read", start.format("verl.trainer.main_ppo"))


@pytest.mark.parametrize(
    ("before", "marked"),
    [
        ("export VLLM_USE_V1=1\n", "VLLM_USE_V1=1"),
        ('export A=1 VLLM_USE_V1="1"\n', 'VLLM_USE_V1="1"'),
        ("export VLLM_USE_V1='1'; ", "VLLM_USE_V1='1'"),
        ("chosen=1\nexport VLLM_USE_V1=$chosen\n", "1"),
        ("export VLLM_USE_V1=${V1:-1}\n", "1"),
    ],
)
def test_the_whole_assignment_is_marked_where_it_decides(before: str, marked: str) -> None:
    script = before + LAUNCH
    (finding,) = found("environment-not-read", script)
    assert script[finding.span.start : finding.span.end] == marked
