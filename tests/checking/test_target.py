"""What a script is checked against: the device of each of its launches."""

import os
from pathlib import Path

import pytest

from lint.checking.examination import Request
from lint.checking.linter import understand
from lint.checking.target import find_schema, kind_of_branch, unknown_fact
from lint.files.sources import files_beside
from lint.settings import ScriptSettings
from lint.text import Source

BOTH = """DEVICE=${DEVICE:-$(python3 -c 'import torch_npu' && echo npu || echo gpu)}
case "$DEVICE" in npu) devices=16 ;; gpu) devices=8 ;; esac
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=$devices
"""


def devices(script: str, stated: str) -> dict[int | None, str | None]:
    """The device of each launch, by its number of devices per node."""
    request = Request(ScriptSettings(), ScriptSettings(device=stated))
    subjects = understand(Source("run.sh", script), request, files_beside(os.curdir)).subjects
    return {
        subject.integer("trainer.n_gpus_per_node"): subject.device.name if subject.device else None
        for subject in subjects
    }


@pytest.mark.parametrize(
    ("stated", "expected"),
    [("ascend-a3", {16: "ascend-a3", 8: None}), ("h100", {16: None, 8: "h100"})],
)
def test_a_stated_device_is_not_that_of_a_branch_for_another_kind(
    stated: str, expected: dict[int | None, str | None]
) -> None:
    """The GPU branch of verl's nightly VeOmni recipe, 8 devices, would not fit an NPU; nobody starts it there."""
    assert devices(BOTH, stated) == expected


def test_a_script_for_one_kind_runs_on_what_is_stated() -> None:
    assert devices("python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8\n", "ascend-a3") == {8: "ascend-a3"}


def test_what_a_step_of_a_workflow_gives_says_nothing_of_the_script_by_itself(tmp_path: Path) -> None:
    """verl's run_ppo_trainer_veomni.sh asks python for the kind; one of its callers writes it, too."""
    script = """kind=${kind:-$(python3 kind.py)}
if [ "$kind" == npu ]; then python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8; fi
"""
    steps = "jobs:\n  one:\n    runs-on: linux-aarch64-a3-16\n    steps:\n      - run: kind=npu SIZE=2 bash run.sh\n"
    (tmp_path / ".git").mkdir()
    (tmp_path / ".github/workflows").mkdir(parents=True)
    (tmp_path / ".github/workflows/w.yml").write_text(steps)
    (tmp_path / "run.sh").write_text(script)
    path = str(tmp_path / "run.sh")
    request = Request(ScriptSettings(), ScriptSettings(device="ascend-a2"))
    subjects = understand(Source(path, script), request, files_beside(path)).subjects
    assert [subject.device and subject.device.name for subject in subjects] == ["ascend-a2"]


@pytest.mark.parametrize(
    ("scenario", "others", "kind"),
    [
        ({"DEVICE": "gpu"}, [{}], "cuda"),
        ({"BACKEND": "sglang"}, [{"DEVICE": "npu"}], "cuda"),
        ({}, [{"DEVICE": "gpu"}, {"DEVICE": "npu"}], None),
        ({}, [{"MODE": "fast"}], None),
    ],
)
def test_the_kind_of_a_branch(scenario: dict[str, str], others: list[dict[str, str]], kind: str | None) -> None:
    assert kind_of_branch(scenario, [scenario, *others]) == kind


@pytest.mark.parametrize(
    ("release", "nearest"),
    [("0.8.1", "0.8.0"), ("v0.7.0", "0.7.1"), ("0.9", "0.9.1"), ("0.10.0", None), ("0.9.1.", "0.9.1"), ("main", None)],
)
def test_a_release_that_is_not_known_is_taken_for_one_of_its_line(release: str, nearest: str | None) -> None:
    wrong = unknown_fact("release", release)
    assert wrong is not None
    assert wrong.nearest == nearest
    assert wrong.help.startswith("known are 0.6.1, ")


@pytest.mark.parametrize(
    ("device", "nearest"),
    [
        ("910B", "ascend-a2"),
        ("ascend910b3", "ascend-a2"),
        ("Atlas-A3", "ascend-a3"),
        ("a100", "a100-80g"),
        ("h10", "h100"),
        ("ascend-a4", None),  # a2, a3 and a5 are as near
        ("tpu-v5", None),
    ],
)
def test_a_device_is_known_by_what_else_it_is_called(device: str, nearest: str | None) -> None:
    wrong = unknown_fact("device", device)
    assert wrong is not None
    assert wrong.nearest == nearest


def test_the_release_that_a_repository_asks_for_is_checked_against(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("verl==0.8.0\n", encoding="utf-8")
    schema = find_schema(str(tmp_path / "run.sh"), {}, Request(ScriptSettings(), ScriptSettings()))
    assert (schema.release, schema.stands_for) == ("0.8.0", None)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "requirements.txt").write_text("verl==0.4.0\n", encoding="utf-8")
    schema = find_schema(str(tmp_path / "old" / "run.sh"), {}, Request(ScriptSettings(), ScriptSettings()))
    assert (schema.release, schema.stands_for) == ("0.6.1", "verl==0.4.0 (requirements.txt)")
