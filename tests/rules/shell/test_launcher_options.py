"""Options of torchrun as its argument parser takes them (torch 2.13.0, run with the same words)."""

import pytest

from tests.rules.pipeline import PATH, found

RULE = "launcher-option-unknown"


def script(options: str) -> str:
    return f"torchrun {options} -m verl.trainer.sft_trainer trainer.save_freq=20"


@pytest.mark.parametrize(
    ("options", "nearest"),
    [
        ("--standalone --nproc_pre_node=8", "--nproc_per_node"),
        ("--standalone --nproc_pre_node 8", "--nproc_per_node"),
        ("-nproc_per_node=8", "--nproc_per_node"),
        ("--nnodes=2 --masteraddr=$HOST", "--master_addr"),
    ],
)
def test_an_unknown_option_is_refused_with_the_nearest_one(options: str, nearest: str) -> None:
    (finding,) = found(RULE, script(options))
    assert finding.help == f"did you mean {nearest}?"
    assert script(options)[finding.span.start : finding.span.end].startswith("-")


@pytest.mark.parametrize(
    "options",
    [
        "--standalone --nproc-per-node=8 --nnodes 1",
        "--stand --rdzv_b=c10d",
        "-r3 -t 3 --local_ranks_filter -1",
        "--master_addr $HOST $MORE",
    ],
)
def test_options_in_every_form_that_argparse_takes_are_quiet(options: str) -> None:
    assert not found(RULE, script(options))


def test_a_beginning_that_fits_several_options_is_refused() -> None:
    (finding,) = found(RULE, script("--rdzv=c10d"))
    assert finding.message.startswith("torchrun refuses --rdzv: it may be --rdzv_backend or --rdzv_conf")


def test_launchers_are_looked_through_and_words_of_the_program_are_its_own() -> None:
    assert found(RULE, "srun -N 2 python3 -m torch.distributed.run --nods=2 -m verl.trainer.sft_trainer", PATH)
    assert not found(RULE, script("--nnodes=2") + " --nods=2")


def test_what_follows_a_word_that_may_be_the_program_is_its_own() -> None:
    here = 'here=$(cd "$(dirname "$0")"; pwd)\n'
    assert not found(RULE, f"{here}torchrun --nproc_per_node=8 $here/train.py --stage=sft --tensor_parallel_size 2")
    (before,) = found(RULE, f"{here}torchrun --bf16 $here/train.py --stage=sft --tensor_parallel_size 2")
    assert before.message == "torchrun has no option --bf16 and ends at it"
    assert found(RULE, 'torchrun --nproc_per_node "$(nproc)" --bf16 train.py'), "a value is no program"
