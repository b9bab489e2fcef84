"""Data files and prompts."""

import pytest

from lint.rules.data.train_variable_holds_test import files
from tests.rules.factory import findings, subject
from tests.rules.pipeline import found
from tests.timing import in_time


@pytest.mark.parametrize(
    ("model", "release", "effect"),
    [
        ("Qwen3-8B", "0.9.0", "is cut from the left, question first"),
        (None, "0.9.0", "question first, or raises ValueError if it holds images"),
        ("Qwen3-8B", "0.7.1", "breaks the batch"),
        ("Qwen3-VL-8B-Instruct", "0.9.0", "raises ValueError if it holds images"),
    ],
)
def test_what_an_overlong_prompt_does(model: str | None, release: str, effect: str) -> None:
    (finding,) = findings("overlong-prompts", subject({"data.train_files": "mine"}, model=model, release=release))
    assert finding.severity == "warning"
    assert finding.message.endswith(effect)


@pytest.mark.parametrize(
    ("files", "length", "severity"),
    [
        ("d/gsm8k/train.parquet", 512, "info"),
        ("d/gsm8k/train.parquet", 256, "warning"),
        ("['d/gsm8k/train.parquet','d/mine.parquet']", 512, "warning"),
        (None, 512, "info"),
    ],
)
def test_data_that_is_known_to_fit(files: str | None, length: int, severity: str) -> None:
    launched = subject({"data.train_files": files, "data.max_prompt_length": length})
    (finding,) = findings("overlong-prompts", launched)
    assert finding.severity == severity


def test_programs_that_only_generate_cut_no_prompts() -> None:
    launched = subject({"data.train_files": "mine"}, entry_point="verl.trainer.main_generation_server")
    assert not findings("overlong-prompts", launched)


def test_filtered_prompts() -> None:
    assert not findings("overlong-prompts", subject({"data.filter_overlong_prompts": True}))


def test_the_side_of_the_cut_cannot_be_chosen() -> None:
    assert findings("truncation-not-read", subject({"data.truncation": "right"}))
    assert not findings("truncation-not-read", subject({"data.truncation": "left"})), "that is what happens"
    filtered = {"data.truncation": "right", "data.filter_overlong_prompts": True}
    assert not findings("truncation-not-read", subject(filtered))


def test_one_file_for_both() -> None:
    both = {"data.train_files": "['a.parquet','b.parquet']", "data.val_files": "b.parquet"}
    assert findings("validation-is-training", subject(both))
    assert not findings("validation-is-training", subject({"data.train_files": "a", "data.val_files": "b"}))
    assert not findings("validation-is-training", subject({**both, "trainer.val_only": "True"}))


def test_a_file_below_the_start_folder_is_called_by_its_variable() -> None:
    script = """F=${F:-"$(date)/test.parquet"}
python3 -m verl.trainer.main_ppo data.train_files="[$F]" data.val_files="[$F]"
"""
    (finding,) = found("validation-is-training", script)
    assert finding.message == "val_files holds $F, which is in train_files too"


@pytest.mark.parametrize("same", ["['']", "YOUR_DATA.parquet", '"<your data>"'])
def test_what_the_user_must_replace_is_no_file(same: str) -> None:
    assert not findings("validation-is-training", subject({"data.train_files": same, "data.val_files": same}))


@pytest.mark.parametrize(
    ("training", "validation", "severities"),
    [
        ("d/test.parquet", "d/train.parquet", ["warning"]),
        ("d/test.parquet", "d/aime.parquet", ["info"]),
        ("d/train.parquet", "d/test.parquet", []),
        ("d/train_test_split.parquet", "d/train.parquet", []),
        ("d/latest.parquet", "d/train.parquet", []),
    ],
)
def test_files_that_are_named_the_wrong_way(training: str, validation: str, severities: list[str]) -> None:
    launched = subject({"data.train_files": training, "data.val_files": validation})
    assert [one.severity for one in findings("train-file-named-test", launched)] == severities


def test_a_long_value_without_an_ending_is_soon_read() -> None:
    found = in_time(1, lambda: list(files("x" * 100_000 + " a.json.csv /b.parquet/c .csv")))
    assert found == ["a.json.csv", "/b.parquet"]


@pytest.mark.parametrize(
    ("files", "release", "told"),
    [
        ("d/train.csv", "0.9.1", 1),
        ("[d/a.parquet,d/b.json,d/c.jsonl]", "0.9.1", 0),
        ("[d/a.parquet,d/b.arrow]", "0.9.1", 1),
        ("d/train.jsonl", "0.6.1", 1),
        ("d/train", "0.7.1", 1),
    ],
)
def test_a_data_set_goes_by_the_ending_of_its_files(files: str, release: str, told: int) -> None:
    launched = subject({"data.train_files": files}, release=release)
    assert len(findings("data-file-format", launched)) == told


def test_a_class_of_ones_own_reads_what_it_likes() -> None:
    assert not findings(
        "data-file-format", subject({"data.train_files": "d/train.csv", "data.custom_cls.path": "/my.py"})
    )


@pytest.mark.parametrize(("files", "told"), [("d/train.jsonl", 1), ("d/train", 0), ("d/train.parquet", 0)])
def test_fine_tuning_reads_parquet_alone_also_in_folders(files: str, told: int) -> None:
    script = f"torchrun --nproc_per_node=8 -m verl.trainer.sft_trainer data.train_files={files}"
    assert len(found("data-file-format", script)) == told
