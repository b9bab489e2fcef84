"""A copy of a recipe for another model, cluster or device has legal sizes that fit, and says what was changed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from lint.__main__ import application
from lint.fixes.adapt import Adapted, NotAdaptable, Wish, adapt
from lint.text import Source

EXAMPLES = Path(__file__).parents[2] / "examples" / "ascend_extras"
DENSE = EXAMPLES / "grpo_trainer" / "run_qwen3_32b_fsdp.sh"
LONG = EXAMPLES / "grpo_trainer" / "run_qwen3_235b_256k_megatron.sh"


def adapted(recipe: Path, **wishes: object) -> Adapted:
    return adapt(Source(recipe.name, recipe.read_text()), Wish("mine", **wishes))  # type: ignore[arg-type]


def changed(result: Adapted) -> dict[str, str]:
    return {step.key: step.after for step in result.steps}


def test_a_copy_without_a_wish_only_gets_its_name() -> None:
    result = adapted(DENSE)
    assert changed(result) == {"trainer.experiment_name": "mine"}
    assert result.source.text == DENSE.read_text().replace("EXPERIMENT_NAME:-qwen3_32b_fsdp", "EXPERIMENT_NAME:-mine")


def test_what_is_asked_for_is_written_where_the_user_block_decides_it() -> None:
    text = adapted(DENSE, model="Qwen3-8B", nodes=1, devices_per_node=8, device="ascend-a2").source.text
    assert "NNODES=${NNODES:-1}\n" in text
    assert "MODEL_PATH=${MODEL_PATH:-${WORK_DIR}/models/Qwen3-8B}\n" in text
    assert text.count("\n") == DENSE.read_text().count("\n")


@pytest.mark.parametrize(
    ("recipe", "wishes"),
    [
        (DENSE, {"model": "Qwen2.5-7B", "nodes": 1}),  # 28 heads
        (DENSE, {"model": "Qwen3-8B", "nodes": 3}),
        (DENSE, {"nodes": 2}),
        (EXAMPLES / "ppo_trainer" / "run_qwen3_8b_fsdp.sh", {"devices_per_node": 4}),
        (EXAMPLES / "grpo_trainer" / "run_qwen3_0_6b_fsdp.sh", {"devices_per_node": 1}),
    ],
)
def test_nothing_about_sizes_is_left_to_object_to(recipe: Path, wishes: dict[str, object]) -> None:
    result = adapted(recipe, **wishes)
    assert result.left == ()
    assert all(step.reason for step in result.steps)
    subprocess.run(["bash", "-n"], input=result.source.text, text=True, check=True)


def test_a_size_is_changed_only_where_something_objects() -> None:
    keys = set(changed(adapted(DENSE, model="Qwen2.5-7B", nodes=1)))
    assert "actor_rollout_ref.actor.fsdp_config.ulysses_sequence_parallel_size" not in keys


def test_of_a_model_that_is_too_large_is_said_how_many_nodes_it_needs() -> None:
    result = adapted(DENSE, model="Qwen3-235B-A22B", nodes=1)
    assert result.by_hand[0].startswith("Qwen3-235B-A22B needs 8 nodes or more, not 1: parameters, gradients and")


TOO_LARGE = (
    "python3 -m verl.trainer.main_ppo model_engine=megatron trainer.device=npu trainer.n_gpus_per_node=8 "
    "trainer.nnodes=2 actor_rollout_ref.model.path=Qwen/Qwen3-235B-A22B trainer.experiment_name=a "
    "actor_rollout_ref.rollout.name=vllm\n"
)


def test_what_cannot_fit_is_left_with_its_reason() -> None:
    result = adapt(Source("a.sh", TOO_LARGE), Wish("mine", nodes=1, device="ascend-a2"))
    assert any(finding.rule == "device-memory" for finding in result.left)


@pytest.mark.parametrize("key", ["megatron.tensor_model_parallel_size", "ppo_mini_batch_size"])
def test_a_size_below_one_is_one_that_does_not_work(key: str) -> None:
    negative = TOO_LARGE.replace(
        "trainer.nnodes", f"actor_rollout_ref.actor.{key}=-2 data.train_batch_size=-2 trainer.nnodes"
    )
    small = negative.replace("Qwen3-235B-A22B", "Qwen3-8B")
    result = adapt(Source("a.sh", small), Wish("mine", nodes=2, device="ascend-a2"))
    assert f"{key}=-2" not in result.source.text or result.left


def test_the_search_in_a_long_script_ends_at_its_bound_and_says_so() -> None:
    long = f"{TOO_LARGE}# {'padding ' * 50_000}\n"
    result = adapt(Source("a.sh", long), Wish("mine", nodes=2, device="ascend-a2"))
    assert "the search for sizes that fit ended at its bound: it tried 7 changes of this long script" in result.by_hand


def test_pipeline_ends_follow_the_layers_of_another_model() -> None:
    result = adapted(LONG, model="Qwen3-30B-A3B", nodes=4)
    assert "FIRST_LAYERS=${FIRST_LAYERS:-12}\nLAST_LAYERS=${LAST_LAYERS:-12}\n" in result.source.text
    assert "TRAIN_PP=${TRAIN_PP:-4}\n" in result.source.text


def test_a_node_of_another_device_is_used_as_a_whole() -> None:
    assert changed(adapted(DENSE, device="ascend-a3", nodes=2))["trainer.n_gpus_per_node"] == "16"


def test_the_list_of_visible_devices_follows_the_node() -> None:
    variable = "+ray_kwargs.ray_init.runtime_env.env_vars.ASCEND_RT_VISIBLE_DEVICES"
    text = f"WORDS=(\n    '{variable}=\"0,1,2,3\"'\n    trainer.n_gpus_per_node=4\n    trainer.experiment_name=a\n)\n"
    text += 'python3 -m verl.trainer.main_ppo "${WORDS[@]}"\n'
    assert f"'{variable}=\"0,1\"'" in adapt(Source("a.sh", text), Wish("mine", devices_per_node=2)).source.text


def test_a_variable_that_the_new_model_cannot_have_is_dropped() -> None:
    recipe = EXAMPLES / "gspo_trainer" / "run_qwen3_32b_fsdp.sh"
    result = adapted(recipe, model="Qwen3-30B-A3B")
    assert changed(result)["VLLM_ASCEND_ENABLE_FLASHCOMM1"] == "not set"
    assert "FLASHCOMM1" not in result.source.text.split("set -euo")[1]


def test_a_suppression_that_silences_nothing_any_more_goes() -> None:
    recipe = EXAMPLES / "grpo_trainer" / "run_qwen3_next_80b_fsdp.sh"
    result = adapted(recipe, model="Qwen3-8B", nodes=1)
    assert "ignore[gated-delta-net-packing]" not in result.source.text
    assert "ignore[sixteen-bit-weights]" in result.source.text


def test_project_and_experiment_are_named_after_the_copy() -> None:
    steps = changed(adapted(DENSE, model="Qwen2.5-7B-Instruct"))
    assert (steps["trainer.experiment_name"], steps["trainer.project_name"]) == ("mine", "verl_grpo_qwen2_5_7b")


def test_a_device_of_another_kind_is_refused() -> None:
    with pytest.raises(NotAdaptable, match="ascend-a2 \\(npu\\), and h100 is of another kind"):
        adapted(DENSE, device="h100")


def test_a_name_that_no_single_text_decides_is_left_to_the_user() -> None:
    text = "python3 -m verl.trainer.main_ppo trainer.nnodes=2 trainer.experiment_name=a-$(date +%s)\n"
    result = adapt(Source("a.sh", text), Wish("mine", nodes=4))
    assert result.by_hand[0].startswith("trainer.experiment_name is not decided by one value")
    assert changed(result) == {"trainer.nnodes": "4"}


def test_of_a_script_with_toggles_the_default_launch_is_adapted() -> None:
    text = "if [[ ${DEVICE:-npu} == npu ]]; then NODES=2; else NODES=3; fi\n"
    text += "NAME=a\npython3 -m verl.trainer.main_ppo trainer.nnodes=$NODES trainer.experiment_name=$NAME\n"
    result = adapt(Source("a.sh", text), Wish("mine", nodes=4))
    assert "then NODES=4; else NODES=3" in result.source.text


def test_the_device_is_stated_in_the_head() -> None:
    assert "# recipe-lint: device=ascend-a3 release=0.9.1\n" in adapted(DENSE, device="ascend-a3").source.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("echo nothing\n", "has 0 launches"),
        (
            "python3 -m verl.trainer.main_ppo trainer.nnodes=$((1 + 1)) trainer.experiment_name=a\n",
            "set it by hand to 4",
        ),
        ("python3 -m verl.trainer.main_ppo\npython3 -m verl.trainer.main_ppo\n", "has 2 launches"),
    ],
)
def test_a_script_that_cannot_be_adapted_says_why(text: str, said: str) -> None:
    with pytest.raises(NotAdaptable, match=said):
        adapt(Source("a.sh", text), Wish("mine", nodes=4))


# ----------------------------------------------------------------------------------------------------- the command


def call(*words: str) -> Result:
    return CliRunner().invoke(application(["new"]), ["new", *words], catch_exceptions=False)


def test_the_copy_is_written_and_the_changes_are_told(tmp_path: Path) -> None:
    result = call(str(DENSE), str(tmp_path / "run_mine.sh"), "--nnodes", "2")
    assert result.exit_code == 0
    assert "trainer.nnodes: 4 -> 2 (as asked for)" in result.stderr
    assert "# Made from: run_qwen3_32b_fsdp.sh by `recipe-lint new`\n" in (tmp_path / "run_mine.sh").read_text()
    assert (tmp_path / "run_mine.sh").stat().st_mode & 0o100


def test_the_home_of_whoever_starts_it_is_not_made_up(tmp_path: Path) -> None:
    told = call(str(DENSE), str(tmp_path / "run_mine.sh"), "--model", "Qwen3-14B").stderr
    assert "model.path: $HOME/verl/models/Qwen3-32B -> $HOME/verl/models/Qwen3-14B (as asked for)" in told


def test_a_file_is_not_replaced_unless_asked_for(tmp_path: Path) -> None:
    (tmp_path / "run_mine.sh").write_text("mine")
    assert call(str(DENSE), str(tmp_path / "run_mine.sh")).exit_code == 2
    assert (tmp_path / "run_mine.sh").read_text() == "mine"
    assert call(str(DENSE), str(tmp_path / "run_mine.sh"), "--force").exit_code == 0


def test_wrong_names_and_missing_recipes_are_named(tmp_path: Path) -> None:
    assert call("none.sh", str(tmp_path / "a.sh")).exit_code == 3
    assert "did you mean" in call(str(DENSE), str(tmp_path / "a.sh"), "--device", "ascend-a33").stderr
    assert not (tmp_path / "a.sh").exists()
