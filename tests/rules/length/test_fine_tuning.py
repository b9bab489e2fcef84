"""Token budgets of fine-tuning."""

import pytest

from tests.rules.pipeline import found

START = "torchrun --nproc_per_node=8 -m verl.trainer.sft_trainer model.path=Qwen/Qwen3-8B"


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("data.max_length=16384", 1),
        ("data.max_length=8192", 0),
        ("data.max_length=16384 engine.ulysses_sequence_parallel_size=2", 0),
        ("data.max_length=16384 engine=megatron optim=megatron engine.context_parallel_size=2", 0),
        ("data.max_length=16384 data.use_dynamic_bsz=False", 0),
        ("data.max_length=$LENGTH", 0),
    ],
)
def test_a_micro_batch_holds_the_longest_sample(settings: str, told: int) -> None:
    assert len(found("fine-tuning-token-budget", f"{START} {settings}")) == told
