"""The head of an adapted copy says what is true of the copy, and what is only true of the original."""

from __future__ import annotations

from pathlib import Path

from lint.facts.devices import Cluster, find_device
from lint.fixes.adapt import Adapted, Wish, adapt
from lint.fixes.head import hardware, labelled, read, with_new_head
from lint.text import Source

EXAMPLES = Path(__file__).parents[2] / "examples" / "ascend_extras"
DENSE = EXAMPLES / "grpo_trainer" / "run_qwen3_32b_fsdp.sh"
LAUNCH = "python3 -m verl.trainer.main_ppo trainer.nnodes=1 trainer.n_gpus_per_node=8\n"


def copied(text: str, wish: Wish) -> tuple[Adapted, str]:
    adapted = adapt(Source("examples/run_old.sh", text), wish)
    return adapted, with_new_head(adapted, "examples/run_old.sh", "mine/run_new.sh")


def head(text: str) -> str:
    return text.split("\nset -", 1)[0]


def test_what_can_be_computed_is_computed_again() -> None:
    _, text = copied(DENSE.read_text(), Wish("new", model="Qwen3-8B", nodes=1, device="ascend-a3"))
    lines = head(text).splitlines()
    assert lines[:2] == ["#!/usr/bin/env bash", "# GRPO of Qwen3-8B on GSM8K: FSDP training, vLLM rollout."]
    assert "# Hardware:  1 node with 16 NPUs (ascend-a3)" in lines
    assert sum(line.startswith("# Memory:    GiB expected of 61.3 on each NPU: init ") for line in lines) == 1
    assert "# NPU-hours: per step unknown; nobody has run this yet" in lines
    assert "# recipe-lint: device=ascend-a3 release=0.9.1" in lines


def test_every_change_is_named_with_the_rule_that_asked_for_it() -> None:
    adapted, text = copied(DENSE.read_text(), Wish("new", model="Qwen2.5-7B-Instruct", nodes=1))
    said = " ".join(line.lstrip("# ") for line in head(text).split("# Changed:")[1].split("# Sources:")[0].splitlines())
    assert "trainer.nnodes 4 -> 1;" in said
    assert "model.path Qwen3-32B -> Qwen2.5-7B-Instruct" in said
    for step in adapted.steps:
        assert f"{step.key.split('.')[-1]} " in said
        assert step.rule is None or f"({step.rule})" in said


def test_what_does_not_fit_is_said() -> None:
    _, text = copied(DENSE.read_text(), Wish("new", model="Qwen3-235B-A22B", nodes=1))
    assert "# Open:      Qwen3-235B-A22B needs 8 nodes or more, not 1: " in head(text)


def test_what_only_the_original_knows_is_marked_as_its_own() -> None:
    _, text = copied(DENSE.read_text(), Wish("new"))
    before, after = head(text).split("# From the head of run_old.sh; what it says of sizes and of its model may not")
    assert "Where this differs from the source" in after
    assert "(of run_old.sh, for what is not listed as changed)" in before


def test_the_commands_name_the_new_script_and_no_size_that_may_not_be_legal() -> None:
    text = DENSE.read_text().replace("run_qwen3_32b_fsdp.sh", "run_old.sh")
    _, smaller = copied(text, Wish("new", model="Qwen2.5-7B-Instruct"))
    assert "# Change it: bash run_new.sh trainer.total_epochs=2\n" in smaller
    _, same = copied(text, Wish("new"))
    assert "# Change it: GEN_TP=8 bash run_new.sh trainer.total_epochs=2\n" in same


def test_ray_is_mentioned_where_there_are_several_nodes() -> None:
    for nodes, expected in ((1, 0), (2, 1)):
        _, text = copied(LAUNCH, Wish("new", nodes=nodes))
        assert text.count("# Several nodes: start Ray on all of them") == expected


def test_a_script_without_a_head_gets_one() -> None:
    _, text = copied(LAUNCH, Wish("new", nodes=2))
    assert text.splitlines()[:4] == [
        "# deepseek-llm-7b-chat, adapted from run_old.sh.",
        "#",
        "# Hardware:  2 nodes with 8 NPUs each (unknown device)",
        "# Memory:    unknown: the model or the device is not known to recipe-lint",
    ]
    assert text.endswith("#\npython3 -m verl.trainer.main_ppo trainer.nnodes=2 trainer.n_gpus_per_node=8\n")


def test_a_head_is_read_in_its_parts() -> None:
    found = read("#!/bin/bash\n# Title.\n#\n# Note.\n# Sources: a\n#            b\n#\n# recipe-lint: nodes=2\n\ntrue\n")
    assert (found.shebang, found.title, found.notes) == ("#!/bin/bash", "Title.", ("#", "# Note."))
    assert found.labels == {"Sources": ("# Sources: a", "#            b")}
    assert (found.directives, found.body) == (("# recipe-lint: nodes=2",), "\ntrue\n")


def test_hardware_in_words() -> None:
    assert hardware(Cluster(1, 1, find_device("h100")), "h100") == "1 node with 1 GPU (h100)"
    assert hardware(Cluster(4, 16, find_device("ascend-a3")), "ascend-a3") == "4 nodes with 16 NPUs each (ascend-a3)"
    assert hardware(None, None) == "unknown number of nodes"


def test_a_phase_and_its_size_stay_on_one_line() -> None:
    lines = labelled("Memory", "GiB: " + ", ".join(f"phase_{'x' * number} {number}" for number in range(20)) + ";")
    assert all(line.rstrip(",;")[-1].isdigit() for line in lines)
    assert all(len(line) <= 120 for line in lines)
