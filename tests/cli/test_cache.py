"""What is kept between runs, and by several processes: the same is said, and whatever changed is seen."""

import json
from pathlib import Path

import pytest

from lint.checking.remembered import forget
from tests.cli.conftest import BROKEN, ONLY, QUIET, SCRIPT, Run, findings
from tests.schema.trees import VERL, write

TP = "actor_rollout_ref.rollout.tensor_model_parallel_size"
LAUNCH = "python3 -m verl.trainer.main_ppo data.files=x data.shards=2\n"

SIZES = {
    "model_type": "qwen3",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "num_hidden_layers": 36,
    "vocab_size": 151936,
    "intermediate_size": 12288,
    "head_dim": 128,
}


def test_a_second_run_says_the_same_from_the_cache(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run("check", ".", "-f", "json", files={"a.sh": BROKEN, "b.sh": SCRIPT})
    with monkeypatch.context() as patch:
        patch.setattr("lint.checking.run.examine_one", lambda job, source: pytest.fail("examined again"))
        assert run("check", ".", "-f", "json").out == first.out
    for file in (folder / ".recipe-lint-cache").rglob("*.json"):
        file.write_bytes(file.read_bytes()[:40])
    assert run("check", ".", "-f", "json").out == first.out


def test_the_cache_sees_changed_text_changed_settings_and_changed_sourced_files(run: Run) -> None:
    script = SCRIPT.replace("train_batch=64\n", "source ./sizes.sh\n")
    files = {"run.sh": script, "sizes.sh": "train_batch=64\n"}
    select = ("--select", "batch", "-f", "json")
    assert findings(run("check", "run.sh", *select, files=files)) == []
    assert findings(run("check", "run.sh", *select, files={"sizes.sh": "train_batch=32\n"})) != []
    assert findings(run("check", "run.sh", *select, files={"sizes.sh": "train_batch=64\n"})) == []
    assert findings(
        run("check", "run.sh", *select, files={"run.sh": script.replace("batch_size=64", "batch_size=128")})
    )
    assert findings(run("check", "run.sh", "--select", "tool", "-f", "json")) == []


def test_the_cache_sees_a_model_that_was_downloaded(run: Run) -> None:
    script = SCRIPT.replace("Qwen/Qwen3-8B", "./model").replace("trainer.nnodes=1", f"{TP}=3 trainer.nnodes=3")
    call = ("check", "run.sh", "--select", "model-divisible", "-f", "json")
    assert findings(run(*call, files={"run.sh": script})) == []
    config = json.dumps(SIZES)
    assert findings(run(*call, files={"model/config.json": config})) != []


def test_the_cache_sees_a_model_that_was_downloaded_by_its_name(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = SCRIPT.replace("Qwen/Qwen3-8B", "me/Tuned").replace("trainer.nnodes=1", f"{TP}=3 trainer.nnodes=3")
    call = ("check", "run.sh", "--select", "model-divisible", "-f", "json")
    monkeypatch.setenv("HF_HUB_CACHE", str(folder / "hub"))
    assert findings(run(*call, files={"run.sh": script})) == []
    config = json.dumps(SIZES)
    assert findings(run(*call, files={"hub/models--me--Tuned/snapshots/0a1b/config.json": config})) != []
    newer = config.replace('"num_attention_heads": 32', '"num_attention_heads": 24')
    commit = {"hub/models--me--Tuned/snapshots/9c0d/config.json": newer, "hub/models--me--Tuned/refs/main": "9c0d"}
    assert findings(run(*call, files=commit)) == []
    monkeypatch.setenv("HF_HUB_CACHE", str(folder / "other"))
    assert findings(run(*call, files={"other/models--me--Tuned/snapshots/0a1b/config.json": config})) != []


@pytest.mark.parametrize("place", ["command line", "head comment", "settings"])
def test_the_cache_sees_a_change_of_a_model_that_is_stated(run: Run, place: str) -> None:
    config = json.dumps(SIZES)
    script = SCRIPT.replace("trainer.nnodes=1", f"{TP}=3 trainer.nnodes=3")
    if place == "head comment":
        script = script.replace("\n", "\n# recipe-lint: model=./model\n", 1)
    settings = "model = './model'\n" if place == "settings" else ""
    given = ("--model", "./model") if place == "command line" else ()
    call = ("check", "run.sh", "--select", "model-divisible", "-f", "json", *given)
    files = {"run.sh": script, "recipe-lint.toml": settings, "model/config.json": config}
    assert findings(run(*call, files=files)) != []
    assert (
        findings(
            run(
                *call,
                files={"model/config.json": config.replace('"num_attention_heads": 32', '"num_attention_heads": 24')},
            )
        )
        == []
    )


def test_many_scripts_in_many_processes_say_the_same_as_one(run: Run) -> None:
    files = {f"run_{number:02}.sh": BROKEN if number % 2 else SCRIPT for number in range(24)}
    one = run("check", ".", *QUIET, *ONLY, "--jobs", "1", "-f", "json", files=files)
    assert run("check", ".", *QUIET, *ONLY, "--jobs", "3", "-f", "json").out == one.out
    assert len(findings(one)) == 12


def test_a_cached_result_is_given_up_when_the_checkout_that_was_named_changes(run: Run, folder: Path) -> None:
    write(folder / "tree", VERL)
    call = ("check", "run.sh", "--verl", "tree", "--no-shellcheck", "--select", "unknown-key", "-f", "json")
    assert "data.shards" in run(*call, files={"run.sh": LAUNCH}).out
    write(folder / "tree", {"verl/trainer/config/data/table.yaml": "files: [a]\nshards: 1\n"})
    forget()
    assert "data.shards" not in run(*call).out
