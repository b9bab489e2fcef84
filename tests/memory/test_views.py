"""What `recipe-lint memory` shows: JSON as DESIGN fixes it, the table, the picture, the page."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from typer.testing import CliRunner

from lint.__main__ import application
from lint.memory.inputs import NotEnough
from lint.memory.page import html
from lint.memory.picture import pictures, svg
from lint.memory.report import LaunchMemory, launch_memory, merged, to_plain
from lint.memory.terms import GIB
from lint.memory.text import text
from lint.output.terminal import Style
from tests.memory.launches import BEFORE, STORY, inputs, story

PLAIN = Style(colour=False)


def shown(values: dict[str, object], release: str = "0.8.0") -> LaunchMemory:
    return launch_memory("run.sh", 7, {}, "Qwen3-Next-80B-A3B", "ascend-a3", inputs(story(values, release)))


UNKNOWN = launch_memory("run.sh", 7, {}, None, None, NotEnough(("the kind of device is not known",)))


def test_json_has_the_fields_of_the_design() -> None:
    plain = to_plain(shown(BEFORE))
    assert (plain["path"], plain["line"], plain["model"], plain["device"]) == (
        "run.sh",
        7,
        "Qwen3-Next-80B-A3B",
        "ascend-a3",
    )
    assert plain["capacity_bytes"] == 65788161556
    assert plain["verdict"] == "tight"
    assert plain["max_gpu_memory_utilization"] is None  # no share helps: the weights alone are too much for the gather
    assert plain["assumptions"]
    for phase in plain["phases"]:
        assert phase["low_bytes"] <= phase["expected_bytes"] <= phase["high_bytes"]
        assert phase["worst_length_bytes"] >= 0.99 * phase["expected_bytes"]
        assert 0 <= phase["trainer_allocated_bytes"] <= phase["expected_bytes"]
        assert sum(phase["components"].values()) == phase["expected_bytes"]
    json.dumps(plain)


@pytest.mark.parametrize("found", [shown(BEFORE), shown(BEFORE, "0.9.0"), shown(STORY, "0.9.1"), UNKNOWN])
def test_json_follows_its_published_schema(found: LaunchMemory) -> None:
    schema = json.loads(files("lint.output").joinpath("memory.schema.json").read_text("utf-8"))
    jsonschema.validate({"version": 1, "launches": [to_plain(found)], "unchecked": []}, schema)


def test_host_memory_is_summed_per_node() -> None:
    host = to_plain(shown(BEFORE))["host_bytes_per_node"]
    assert host["total"] == sum(size for name, size in host.items() if name != "total")
    assert round(host["rollout_weights"] / GIB) == 595  # 16 devices x 37.2 GiB, asleep in pinned memory


def test_the_repaired_recipe_fits_with_a_largest_share() -> None:
    plain = to_plain(shown(STORY, "0.9.1"))
    assert plain["verdict"] == "fits"
    assert 0.6 <= plain["max_gpu_memory_utilization"] < 1


def test_what_cannot_be_computed_is_unknown_with_its_reason() -> None:
    plain = to_plain(UNKNOWN)
    assert (plain["verdict"], plain["phases"], plain["capacity_bytes"]) == ("unknown", [], None)
    assert plain["assumptions"] == ["the kind of device is not known"]


def test_the_table_names_phases_terms_knobs_and_verdict() -> None:
    table = text(shown(BEFORE), PLAIN)
    for part in ("update_weights", "58.6", "W rollout_weights", "verdict: tight", "host memory per node: 980 GiB"):
        assert part in table
    (advice,) = [line for line in table.splitlines() if "parallel_size 8, gpu_memory_utilization" in line]
    assert advice.split()[:3] == ["18.5", "<1%", "tensor_model_parallel_size"]
    assert "not modelled" not in table
    assert max(map(len, table.splitlines())) <= 80
    assert "\x1b" not in table


def test_the_likeliest_phase_is_told_from_the_one_that_takes_most() -> None:
    repaired = " ".join(text(shown(STORY, "0.9.1"), PLAIN).split())
    assert "<1% likely to exceed the device in any phase init takes most, 40." in repaired
    assert (
        "; update_weights (gather and send) is likelier to exceed the device, as less is known of its sum" in repaired
    )
    before = " ".join(text(shown(BEFORE), PLAIN).split())
    assert "likely to exceed the device in update_weights (gather and send) update_weights takes most, 58.6" in before


def test_what_no_part_explains_is_said_to_be_measured() -> None:
    found = shown(STORY, "0.9.1")
    (line,) = [one for one in to_plain(found)["assumptions"] if one.startswith("unexplained")]
    assert line == (
        "unexplained: 4.0 GiB in update_weights (gather and send), which two measured failures took beyond every "
        "other part"
    )
    assert "measured but not explained" in svg(found)
    assert not any("unexplained" in one for one in to_plain(shown(STORY, "0.7.1"))["assumptions"])


def test_a_bar_beyond_the_device_is_cut_and_says_so() -> None:
    table = text(shown(BEFORE, "0.9.0"), PLAIN)
    (row,) = [line for line in table.splitlines() if line.strip().startswith("update_actor   ")]
    assert row.endswith("GG>")
    assert len(row) == 80
    assert "update_actor: layer backward" in table
    assert "verdict: out-of-memory" in table


def test_every_view_names_what_is_left_out() -> None:
    left_out = "generate: the rollout's cache of encoded images"
    found = launch_memory("run.sh", 7, {}, None, None, replace(inputs(story()), unmodelled=(left_out,)))
    assert f"not modelled\n  - {left_out}" in text(found, PLAIN)
    assert f"not modelled: {left_out}" in to_plain(found)["assumptions"]
    assert f"not modelled: {left_out}".replace("'", "&#x27;") in svg(found)
    assert "<p>Not modelled</p>" in html([found])


def test_scenarios_that_come_to_the_same_are_shown_once() -> None:
    other = replace(shown(STORY), scenario={"MACHINE": "b200"})
    (both,) = merged([shown(STORY), other])
    assert "\n  also when MACHINE=b200\n" in text(both, PLAIN)
    assert len(merged([shown(STORY), shown(BEFORE)])) == 2


def test_the_table_of_an_unknown_launch_says_why() -> None:
    assert "verdict: unknown\n  - the kind of device is not known" in text(UNKNOWN, PLAIN)


@pytest.mark.parametrize("found", [shown(BEFORE), shown(BEFORE, "0.9.0"), UNKNOWN])
def test_the_picture_is_wellformed_and_stays_in_its_frame(found: LaunchMemory) -> None:
    picture = ElementTree.fromstring(svg(found))
    width, height = float(picture.attrib["width"]), float(picture.attrib["height"])
    for shape in picture.iter("{http://www.w3.org/2000/svg}rect"):
        x, y = float(shape.attrib.get("x", 0)), float(shape.attrib.get("y", 0))
        assert 0 <= x <= x + float(shape.attrib["width"]) <= width
        assert 0 <= y <= y + float(shape.attrib["height"]) <= height


def test_several_launches_make_one_picture() -> None:
    both = ElementTree.fromstring(pictures([shown(BEFORE), UNKNOWN]))
    one = ElementTree.fromstring(svg(shown(BEFORE)))
    assert float(both.attrib["height"]) > float(one.attrib["height"])
    assert len(both.findall("{http://www.w3.org/2000/svg}svg")) == 2
    ElementTree.fromstring(pictures([]))


def test_the_page_escapes_what_comes_from_the_script() -> None:
    found = launch_memory("<script>.sh", 1, {}, None, None, NotEnough(("a < b",)))
    page = html([found, shown(STORY)])
    assert "<script>.sh" not in page
    assert page.count("<section>") == 2


# ------------------------------------------------------------------------------------------------------- the command


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(application(["memory"]), ["memory", *arguments])
    return result.exit_code, result.stdout


@pytest.fixture
def script(tmp_path: Path) -> str:
    lines = ["python3 -m verl.trainer.main_ppo", *(f"'{key}={value}'" for key, value in STORY.items())]
    lines += [
        "algorithm.adv_estimator=grpo",
        "actor_rollout_ref.actor.use_dynamic_bsz=True",
        "actor_rollout_ref.rollout.name=vllm",
        "actor_rollout_ref.model.path=Qwen/Qwen3-Next-80B-A3B-Instruct",
        "trainer.nnodes=4",
        "trainer.n_gpus_per_node=16",
        "trainer.device=npu",
    ]
    path = tmp_path / "run.sh"
    path.write_text(" \\\n    ".join(lines) + "\n")
    return str(path)


def test_the_command_reads_a_script(script: str) -> None:
    status, output = run(script, "--format", "json", "--release", "0.8.0")
    (launch,) = json.loads(output)["launches"]
    assert status == 0
    assert launch["verdict"] == "fits"
    assert launch["device"] == "ascend-a3"


def test_what_if_flags_replace_what_the_script_says(script: str) -> None:
    _, output = run(script, "--format", "json", "--release", "0.8.0", "--tp", "4", "--util", "0.8")
    (launch,) = json.loads(output)["launches"]
    assert launch["verdict"] == "tight"
    (update,) = [phase for phase in launch["phases"] if phase["phase"] == "update_weights"]
    assert round(update["components"]["rollout_weights"] / GIB, 1) == 37.2


def test_each_launch_of_a_multirun_says_which_value_it_has(tmp_path: Path) -> None:
    path = tmp_path / "run.sh"
    path.write_text(
        "python3 -m verl.trainer.main_ppo -m algorithm.adv_estimator=grpo actor_rollout_ref.model.path=Qwen/Qwen3-8B "
        "actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.tensor_model_parallel_size=2,4\n"
    )
    _, output = run(str(path), "--format", "json", "--device", "h100")
    key = "actor_rollout_ref.rollout.tensor_model_parallel_size"
    assert [launch["scenario"] for launch in json.loads(output)["launches"]] == [{key: "2"}, {key: "4"}]
    _, output = run(str(path), "--device", "h100")
    assert [line for line in output.splitlines() if "when" in line] == [f"  when {key}=2", f"  when {key}=4"]


@pytest.mark.parametrize(
    ("flag", "value", "phase", "component", "factor"),
    [
        ("--nnodes", "8", "update_actor", "optimizer", 0.5),
        ("--bucket", "1024", "update_weights", "weight_bucket", 0.5),
        ("--token-budget", "1408", "ref_log_prob", "logits", 0.5),  # of 2816
        ("--sp", "16", "ref_log_prob", "logits", 1.0),  # the budget counts for each device
        ("--devices", "8", "update_actor", "optimizer", 2.0),
    ],
)
def test_each_what_if_flag_changes_its_term(
    script: str, flag: str, value: str, phase: str, component: str, factor: float
) -> None:
    def size(*flags: str) -> int:
        _, output = run(script, "--format", "json", *flags)
        phases = json.loads(output)["launches"][0]["phases"]
        (found,) = [row["components"][component] for row in phases if row["phase"] == phase]
        return int(found)

    assert size(flag, value) == pytest.approx(factor * size(), rel=0.05)


@pytest.mark.parametrize(("flag", "value", "status"), [("--util", "nan", 2), ("--bucket", "9" * 21, 0)])
def test_absurd_sizes_are_refused_or_too_much(script: str, flag: str, value: str, status: int) -> None:
    found, output = run(script, flag, value)
    assert (found, "defect" in output) == (status, False)


def test_a_missing_file_is_said_with_status_3(tmp_path: Path) -> None:
    status, output = run(str(tmp_path / "none.sh"), "--format", "json")
    assert status == 3
    assert json.loads(output)["unchecked"][0]["reason"] == "no such file or folder"


def test_a_recipe_on_top_of_the_ppo_trainer_is_read_as_one(tmp_path: Path) -> None:
    """Moonlight-16B DAPO, nightly on 8 x 910B: 38.88 GiB measured (verl-ascend-recipe baseline/a2)."""
    actor, rollout = "actor_rollout_ref.actor", "actor_rollout_ref.rollout"
    transformer = f"+{actor}.megatron.override_transformer_config"
    words = [
        "python3 -m recipe.dapo.main_dapo --config-path=config --config-name=dapo_megatron_trainer",
        "data.train_files=dapo-math-17k.parquet data.train_batch_size=32",
        "data.max_prompt_length=1024 data.max_response_length=2048",
        "actor_rollout_ref.model.path=moonshotai/Moonlight-16B-A3B-Instruct",
        f"{actor}.use_dynamic_bsz=True {actor}.ppo_max_token_len_per_gpu=3072 {actor}.ppo_mini_batch_size=32",
        f"{actor}.megatron.pipeline_model_parallel_size=4 {actor}.megatron.context_parallel_size=2",
        f"{actor}.megatron.expert_model_parallel_size=2 {actor}.megatron.expert_tensor_parallel_size=1",
        f"{actor}.megatron.param_offload=True {actor}.megatron.optimizer_offload=True",
        f"{transformer}.num_layers_in_first_pipeline_stage=7 {transformer}.num_layers_in_last_pipeline_stage=6",
        f"{transformer}.recompute_granularity=full {transformer}.recompute_method=uniform",
        f"{rollout}.name=vllm {rollout}.n=16 {rollout}.tensor_model_parallel_size=4",
        f"{rollout}.gpu_memory_utilization=0.65 algorithm.adv_estimator=grpo",
        "trainer.n_gpus_per_node=8 trainer.nnodes=1 trainer.device=npu",
    ]
    script = tmp_path / "dapo.sh"
    script.write_text(" \\\n    ".join(words) + "\n")
    _, output = run(str(script), "--format", "json", "--release", "0.9.1")
    (launch,) = json.loads(output)["launches"]
    assert launch["assumptions"][0] == "recipe.dapo.main_dapo is read as verl.trainer.main_ppo"
    peak = max(phase["trainer_allocated_bytes"] for phase in launch["phases"])
    assert peak / GIB == pytest.approx(38.88, rel=0.02)
