"""Every recipe starts under the real `verl` package, up to the point where it asks for accelerators.

`make e2e VERL_PYTHON=...` runs this with a Python that has verl 0.9.1, its requirements and torch for CPUs: half a
minute for each recipe. The model folder and the data are made here; the machine has no NPU, and verl ends by saying so.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.examples.conftest import RECIPES, Machine, name
from tests.examples.test_recipes import words

PYTHON = Path(os.environ["VERL_PYTHON"])
HERE = Path(__file__).parent
# The test machine has few cores: Ray is told of more, and the storage that waits for cores of its own is kept small.
SMALL = (
    "ray_kwargs.ray_init.num_cpus=16",
    "transfer_queue.backend.SimpleStorage.num_data_storage_units=1",
    "data.dataloader_num_workers=0",
)
# With adapters verl looks up the ranks that vLLM allows, and vLLM is not installed here.
WITHOUT_VLLM = ("actor_rollout_ref.rollout.name=sglang",)
CURRENT = [recipe for recipe in RECIPES if "release=0.9.1" in recipe.read_text()]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    subprocess.run([PYTHON, HERE / "tiny_inputs.py", folder], check=True)
    return folder


@pytest.mark.parametrize("recipe", CURRENT, ids=name)
def test_verl_asks_for_accelerators_and_for_nothing_else(recipe: Path, inputs: Path, machine: Machine) -> None:
    (machine.programs / "python3").unlink()
    result = subprocess.run(
        ["/bin/bash", recipe, *SMALL, *replaced(recipe)],
        cwd=machine.folder,
        env={**environment(machine, inputs), "RAY_TMPDIR": "/tmp/ray-recipes"},
        capture_output=True,
        text=True,
        timeout=900,
    )
    log = result.stdout
    assert result.returncode == 1, log[-3000:]
    assert "[validate_config] All configuration checks passed successfully!" in log
    assert "dataloader initialized, train dataset size: 2048" in log, log[-3000:]
    assert "ValueError: Total available GPUs 0 is less than total desired GPUs" in log, log[-3000:]


@pytest.mark.parametrize("recipe", CURRENT, ids=name)
def test_the_dataclasses_of_the_workers_accept_the_config(recipe: Path, inputs: Path, machine: Machine) -> None:
    printed = machine.run(recipe, DRY_RUN="1", **paths(inputs)).stdout
    overrides = [*words(printed)[3:], *replaced(recipe)]
    result = subprocess.run(
        [PYTHON, HERE / "worker_configs.py", *overrides], capture_output=True, text=True, timeout=120
    )
    assert result.returncode == 0, result.stderr[-3000:]


def replaced(recipe: Path) -> tuple[str, ...]:
    return WITHOUT_VLLM if "_lora_" in recipe.name else ()


def paths(inputs: Path) -> dict[str, str]:
    data = str(inputs / "data.parquet")
    return {"MODEL_PATH": str(inputs / "model"), "TRAIN_FILE": data, "TEST_FILE": data}


def environment(machine: Machine, inputs: Path) -> dict[str, str]:
    path = f"{machine.programs}:{PYTHON.parent}:/usr/bin:/bin"
    return {**machine.environment, **paths(inputs), "PATH": path, "HYDRA_FULL_ERROR": "1"}
