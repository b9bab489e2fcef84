"""How many processes a trainer is, and how many a launcher makes of it."""

import pytest

from tests.rules.pipeline import found

DRIVER = "verl.trainer.main_ppo algorithm.adv_estimator=grpo"
RANKS = "verl.trainer.sft_trainer model.path=Qwen/Qwen2.5-0.5B-Instruct"


@pytest.mark.parametrize(
    ("start", "said"),
    [
        ("torchrun --nproc-per-node 8 -m", "torchrun starts 8 processes"),
        ("torchrun --nnodes=2 --nproc_per_node=8 -m", "torchrun starts 2 x 8 = 16 processes"),
        ("torchrun --nnodes=2 -m", "torchrun starts 2 processes"),
        ("python3 -m torch.distributed.run --nproc_per_node=8 -m", "torch.distributed.run starts 8 processes"),
        ("accelerate launch --num_processes 8 -m", "accelerate starts 8 processes"),
        ("uv run torchrun --nproc_per_node=4 -m", "torchrun starts 4 processes"),
        ("srun --ntasks=4 python3 -m", "srun starts 4 processes"),
        ("mpirun -np 8 python3 -m", "mpirun starts 8 processes"),
    ],
)
def test_a_driver_of_ray_is_started_once(start: str, said: str) -> None:
    (finding,) = found("ray-driver-repeated", f"{start} {DRIVER}")
    assert finding.message.startswith(f"{said} of verl.trainer.main_ppo")


@pytest.mark.parametrize(
    "start",
    [
        "python3 -m",
        "torchrun --nproc_per_node=1 -m",
        "torchrun -m",
        "torchrun --nproc_per_node=$DEVICES -m",
        "torchrun --nnodes=1:4 -m",
        "accelerate launch -m",
        "srun --nodes=1 --ntasks=1 python3 -m",
    ],
)
def test_one_process_or_a_number_that_is_not_known(start: str) -> None:
    assert found("ray-driver-repeated", f"{start} {DRIVER}") == []


def test_fine_tuning_is_one_process_for_each_device() -> None:
    assert found("ray-driver-repeated", f"torchrun --nproc_per_node=8 -m {RANKS}") == []


def test_fine_tuning_asks_for_its_rank() -> None:
    (finding,) = found("torchrun-missing", f"uv run python -m {RANKS} trainer.n_gpus_per_node=4")
    assert finding.help == "write torchrun --standalone --nproc_per_node=4 -m verl.trainer.sft_trainer"


@pytest.mark.parametrize(
    "start",
    [
        "torchrun --nproc_per_node=8 -m",
        "accelerate launch -m",
        "srun --ntasks=8 python3 -m",
        "RANK=0 WORLD_SIZE=1 python3 -m",
        "export RANK=${OMPI_COMM_WORLD_RANK:-0}\npython3 -m",
    ],
)
def test_who_gives_ranks_or_may_give_them(start: str) -> None:
    assert found("torchrun-missing", f"{start} {RANKS}") == []


def test_fine_tuning_by_ray_starts_its_own_workers() -> None:
    assert found("torchrun-missing", "python3 -m verl.trainer.sft_trainer_ray model.path=Qwen/Qwen3-8B") == []
