r"""`torchrun` is given an option that it does not have.

## What it finds
An option before the program of `torchrun` (and `python -m torch.distributed.run`) that its argument parser does not
know, and one that is cut short so far that it fits several. A beginning that fits one option is taken for it.

## Why it hurts
argparse reads the whole line before anything is started, and ends at an option that it does not know.

## When it fails
before start: "unrecognized arguments", or "ambiguous option"

## Example that fails
```bash
torchrun --standalone --nproc_pre_node=8 -m verl.trainer.sft_trainer trainer.save_freq=20  # <- here
```

## Example that passes
```bash
torchrun --standalone --nproc_per_node=8 -m verl.trainer.sft_trainer trainer.save_freq=20
```

## Fix
Write the option that the message suggests.

## Sources
- torch 2.13.0: torch/distributed/run.py :: get_args_parser (also run with such options)
- lint/bash/programs/launchers.json
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.bash.programs.launchers import texts
from lint.bash.programs.refused_options import RefusedOption, refused_options
from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject


@rule(severity="error", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Each such word of a command, whatever the launcher starts."""
    for reading in subject.readings:
        for command in reading.commands:
            for refused in refused_options(texts(command.words)):
                span = command.word_spans[refused.index]
                help = _advice(refused)
                scenario = {**reading.scenario, **command.scenario}
                yield subject.finding(check, span, _message(refused), help=help, scenario=scenario)


def _message(refused: RefusedOption) -> str:
    if refused.fitting:
        return f"{refused.launcher} refuses {refused.name}: it may be {' or '.join(refused.fitting)}"
    return f"{refused.launcher} has no option {refused.name} and ends at it"


def _advice(refused: RefusedOption) -> str:
    if refused.fitting:
        return "write the whole name"
    return f"leave {refused.name} out" if refused.nearest is None else f"did you mean {refused.nearest}?"
