"""Each entry of the research on rules as a script that goes against it, and the rules that must find it.

Cases named after a commit (`verl-17663ce86@before`) are what that commit of verl mended in its own scripts.

`cases/entries.tsv` holds name, words and rules (`!RULE`: one that must not find it). The words are laid over a launch
that nothing objects to:

    key=value       an override (`A.`, `R.`, `F.`, `M.`, `MG.`, `TC.` stand for the nodes in `NODES`)
    -key            an override of the launch is left out
    release= device=  what the launch is checked for
    P: SCRIPT:      another entry point; a flag of it
    E: S0:          a variable that is exported before; a line before
    S:              words (or lines) behind the launch in place of "$@"; `-noat`: none; `-unquoted`: $@
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from lint.bash.files import NoFiles
from lint.checking.examination import Request
from lint.checking.linter import examine
from lint.files.sources import Files
from lint.settings import ScriptSettings
from lint.text import Source

CASES = [line.split("\t") for line in (Path(__file__).parent / "cases" / "entries.tsv").read_text("utf-8").splitlines()]
TAIL = re.compile(r"(?:^| )(S:.*)$")
BEFORE = re.compile(r"(?:^| )S0:(.*?)(?= (?:E:|S:|device=|trainer\.|model_engine|A\.|release=)|$)")
NODES = {
    "A.": "actor_rollout_ref.actor.",
    "R.": "actor_rollout_ref.rollout.",
    "F.": "actor_rollout_ref.ref.",
    "M.": "actor_rollout_ref.model.",
    "MG.": "actor_rollout_ref.actor.megatron.",
    "TC.": "actor_rollout_ref.actor.megatron.override_transformer_config.",
}
LAUNCH = """
algorithm.adv_estimator=grpo data.train_files=/d/train.parquet data.val_files=/d/test.parquet data.train_batch_size=128
data.max_prompt_length=512 data.max_response_length=1024 data.filter_overlong_prompts=True R.name=vllm R.n=8
R.tensor_model_parallel_size=2 A.ppo_mini_batch_size=128 A.use_dynamic_bsz=True M.path=Qwen/Qwen3-8B
trainer.n_gpus_per_node=8 trainer.nnodes=1 trainer.logger=[console] trainer.save_freq=10
trainer.max_actor_ckpt_to_keep=2
"""


def long(word: str) -> str:
    """An override with its node written out."""
    found = re.match(r"([+~]*)(MG\.|TC\.|[ARFM]\.)", word)
    return word if found is None else found.group(1) + NODES[found.group(2)] + word[found.end() :]


def script(words: str) -> tuple[str, ScriptSettings]:
    """The text of a case, and what it is checked for."""
    before = [line.replace("\\n", "\n") for line in BEFORE.findall(words)]
    words = BEFORE.sub("", words)
    tail = TAIL.search(words)
    behind = '"$@"' if tail is None else tail.group(1)[2:].replace("\\n", "\n")
    kept = {word.partition("=")[0]: word for word in LAUNCH.split()}
    program = "verl.trainer.main_ppo"
    overrides: list[str] = []
    flags: list[str] = []
    given: dict[str, str] = {}
    for word in TAIL.sub("", words).split():
        name, _, value = word.partition("=")
        if name in ("release", "device"):
            given[name] = value
        elif word.startswith("E:"):
            before.append(f"export {word[2:]}")
        elif word.startswith("P:"):
            program = word[2:]
        elif "SCRIPT:" in word:
            flags.append(word.partition("SCRIPT:")[2])
        elif word.startswith("-") and name[1:] in kept:
            del kept[name[1:]]
        else:
            kept.pop(name.lstrip("+~") if not word.startswith("+") else "", None)
            overrides.append(word)
    lines = [f"python3 -m {program} {' '.join(flags)}", *map(long, (*kept.values(), *overrides))]
    behind = {"-noat": "", "-unquoted": "$@"}.get(behind, behind)
    text = " \\\n    ".join(lines) + (" " if behind.startswith(("\n", "2>", "|")) else " \\\n    ") + behind
    return "\n".join(("#!/bin/bash", *before, text)) + "\n", ScriptSettings(
        release=given.get("release"), device=given.get("device")
    )


def expected(rules: str) -> tuple[set[str], set[str]]:
    """The rules that must find a case, and those that must not."""
    names = rules.split(",")
    return {name for name in names if name[0] != "!"}, {name[1:] for name in names if name[0] == "!"}


@pytest.mark.parametrize(("name", "words", "rules"), CASES, ids=[name for name, _, _ in CASES])
def test_an_entry_is_found(name: str, words: str, rules: str) -> None:
    text, given = script(words)
    request = Request(ScriptSettings(confidence="low", shellcheck=False), given)
    found = {finding.rule for finding in examine(Source("run.sh", text), request, Files(NoFiles(), os.curdir)).findings}
    must, must_not = expected(rules)
    assert must <= found, f"{name}: found are {sorted(found)} in\n{text}"
    assert not must_not & found, f"{name}: found are {sorted(found)} in\n{text}"
