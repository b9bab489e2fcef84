"""Relative paths of a program that changes to the folder of its run."""

import pytest

from tests.rules.hydra.scripts import HEAD, only
from tests.rules.pipeline import found

CHANGES = "hydra.job.chdir=True trainer.default_local_dir=/checkpoints"


def test_the_paths_that_are_looked_up_there_are_named() -> None:
    finding = only(
        "folder-of-run", f"{HEAD} {CHANGES} data.train_files=[a.parquet,/b.parquet] data.val_files=/c.parquet"
    )
    assert finding.message.endswith("looks there for data.train_files ['a.parquet', '/b.parquet']")


@pytest.mark.parametrize(("path", "told"), [("./models/Qwen3-8B", 1), ("a/b/Qwen3-8B", 1), ("Qwen/Qwen3-8B", 0)])
def test_a_model_may_be_one_of_a_hub(path: str, told: int) -> None:
    files = "data.train_files=/a.parquet data.val_files=/b.parquet"
    assert len(found("folder-of-run", f"{HEAD} {CHANGES} {files} actor_rollout_ref.model.path={path}")) == told


def test_checkpoints_are_found_again_in_a_folder_of_one_name() -> None:
    files = "data.train_files=/a.parquet data.val_files=/b.parquet"
    assert "the checkpoints in checkpoints/" in only("folder-of-run", f"{HEAD} hydra.job.chdir=True {files}").message
    assert found("folder-of-run", f"{HEAD} hydra.job.chdir=True hydra.run.dir=run1 {files}") == []


@pytest.mark.parametrize(
    "script",
    [
        f"{HEAD} hydra.run.dir=run1 data.train_files=a.parquet",
        f"{HEAD} hydra.job.chdir=True hydra.run.dir=. data.train_files=a.parquet",
        f"{HEAD} hydra.job.chdir=True +ray_kwargs.ray_init.address=auto data.train_files=a.parquet",
        f"ray job submit -- {HEAD} hydra.job.chdir=True data.train_files=a.parquet",
        f"{HEAD} {CHANGES} data.train_files=$DATA/a.parquet data.val_files=hdfs://b.parquet",
    ],
)
def test_where_the_folder_does_not_change_or_does_not_matter(script: str) -> None:
    assert found("folder-of-run", script) == []
