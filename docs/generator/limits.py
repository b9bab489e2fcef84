"""What is not checked, and why."""

from __future__ import annotations

from docs.generator import Pages, code, table
from lint.bash import budget
from lint.bash.builtins import BUILTINS
from lint.facts.devices import load_devices
from lint.launch.sweep import MOST_OF_A_SWEEP
from lint.schema.behaviours import known_behaviours
from lint.schema.load import load, shipped
from lint.shellcheck import EXCLUDED, PATIENCE, SAID_BETTER, SECONDS, SPLITTING

TEXT = """# Limits

What the tool does not check, and why. Where it meets one of these limits in a script, it says so: as `not checked` at
the end of `check` (`unchecked` in JSON), in angle brackets in `show`, or as an assumption of `memory`. Unknown is
never a guess and never a pass: a rule that needs a value which is not known stays silent.

## Reading bash

Nothing of a script is ever run. So these are unknown: the output of programs (`date`, `nvidia-smi`, `hostname`), except
of text tools on known text; variables that every environment sets (`HOME`, `USER`); files that programs write while the
script runs, and files outside of the repository.

- Of the environment only what `--env` and the settings name is known. A variable that nothing sets is unknown under
  `set -u`, where it must be set; elsewhere it is empty, as in bash: no rule judges an override that is made of it.
- A condition on something unknown is read both ways. A variable that is read with a default and compared is a toggle:
  each of its values is read, one toggle at a time; all combinations are not. So is a variable in capital letters that
  nothing has set where it is tested: `[ "$RANK" = 0 ]` is read with `RANK=0`, too, and `[ -n "$RANK" ]` with some
  `RANK` of which no more is known (`RANK=<set>`).
- A script is also read as steps of the workflows in `.github/workflows` start it, with the variables, arguments and the
  runner that they give: as often as it takes that each value is given once. Only workflows that write the script's name
  are read. Other callers outside of bash (Makefiles, Dockerfiles, Python) are not.
- A command that is not known to fail is taken to succeed, as `set -e` would have it.
- Background jobs are read where they stand; nothing is said about races.
- What `eval`, `source` and `bash -c` get is read if its text is known. Behind a text that is not, variables that the
  script has not set are unknown; behind `eval` its own, too, unless the text is what a tool like `conda` sets a shell
  up with.
- Traps of signals are not followed; those of EXIT, ERR, DEBUG and RETURN are.

Builtins that are read: {builtins}.

Reading is bounded, so that no script makes it run for ever:

{bounds}
## Knowing verl

Releases whose config is known: {releases}. Another release or checkout needs `recipe-lint schema build`; without it a
script is checked against the release that its repository requires, else the newest. If none is what is required (a
commit, a submodule that is not checked out), the nearest stands for it, and what it says is a warning at most, of keys
a remark. In a checkout the config is read from it, and {behaviours} behaviours of its code are looked for; other
changes of its code are not seen.

- A multirun of Hydra is read as the launches that it starts, up to {sweep}; of more, each value is taken once, not
  every combination, and that is said. A finding names the values that it needs. Values that other sweepers choose
  (`interval`) and names that Hydra looks up (`glob`) are not known.
- An entry point outside verl is checked by its own config, if the file is in the repository. Rules about batches,
  lengths, the rollout and memory speak of verl's PPO trainer and of what builds on it; of other entry points the keys,
  types, environment and shell are checked.
- Plugins, registered classes, reward functions and `external_lib` are code that is not read. A name that they could
  register is no error.
- Data files and checkpoints are not opened: whether they exist, and how long their samples are, is not checked.
- Which versions are installed is not looked at: the software of the release's own image is taken.

## Rules

- Rules about sizes need the model's shape. A model is known by name, or by a `config.json` that can be read.
- Rules about devices need the device. Known are {devices}.
- Throughput, stability of training and the quality of rewards are not judged.
- All nodes of a launch are taken to be alike.

## Memory

The engines torchtitan and automodel and engines from outside verl, Megatron FSDP, rollouts other than vllm and
sglang, the rollout's cache of encoded images, the top-k loss of distillation under Megatron, and the devices of
teachers and of a reward model that has its own are not modelled. The output names each one that a launch uses, and the
phase that it is missing from. How far predictions are from measurements, and how many launches are judged rightly, is
in [the memory model](memory.md#measured-and-predicted).

## shellcheck

A process of it may take {seconds} s of the processor and {patience} s by the clock; a script that takes more alone is
named as not checked by it.

Left out everywhere:

{excluded}
{splitting} are left out where the reader proves that the value is one word without a pattern in every scenario. These
codes are left out on a line where a rule of ours says the same:

{better}"""

BOUNDS = {
    "STEPS": "steps of one reading (a simple command is about one)",
    "TURNS": "turns of one loop",
    "PATHS": "ways through a script that are followed at the same time",
    "DEPTH": "nested function calls, substitutions and sourced files",
    "TEXT": "characters of one value",
    "WORDS": "words of one brace expansion",
}


def pages() -> Pages:
    """`limits.md`."""
    text = TEXT.format(
        builtins=code(sorted(BUILTINS)),
        bounds=table(["at most", "of what"], [(f"{getattr(budget, name):,}", what) for name, what in BOUNDS.items()]),
        releases=", ".join(f"{release} ({load(release).date})" for release in shipped()),
        behaviours=len(list(known_behaviours())),
        devices=code(load_devices()),
        sweep=MOST_OF_A_SWEEP,
        seconds=SECONDS,
        patience=PATIENCE,
        excluded=table(["code", "why"], EXCLUDED.items()),
        splitting=", ".join(sorted(SPLITTING)),
        better=table(["rule", "codes"], [(rule, ", ".join(sorted(codes))) for rule, codes in SAID_BETTER.items()]),
    )
    return {"limits.md": text}
