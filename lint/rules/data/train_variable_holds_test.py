r"""A variable that is named for training holds a file that is named for tests.

## What it finds
An assignment of a script that starts a trainer, such as `gsm8k_train_path=/data/gsm8k/test.parquet`. Where the value
reaches `data.train_files`, `train-file-named-test` says so instead.

## Why it hurts
Whoever passes the variable on trains on what the model is to be measured with.

## When it fails
silently: scores that are too good

## Example that fails
```bash
train_path=/data/gsm8k/test.parquet  # <- here
python3 -m verl.trainer.main_ppo data.val_files=$train_path "$@"
```

## Example that passes
```bash
train_path=/data/gsm8k/train.parquet
test_path=/data/gsm8k/test.parquet
python3 -m verl.trainer.main_ppo data.train_files=$train_path data.val_files=$test_path "$@"
```

## Fix
Name the training file.

## Sources
- verl commit c62e7ac7b, which repaired gsm8k_train_path=.../test.parquet, a variable that nothing read any more
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.bash.syntax import Assignment
from lint.findings import Finding
from lint.regular import regular
from lint.rules.data._files import HELD_OUT, TRAINING, last, named_for_tests
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject

RUN = regular(r"[^\s'\"$]+")
ENDING = regular(r"(?<=.)\.(?:parquet|jsonl?|arrow|csv)")


@rule(severity="info", confidence="medium", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Assignments whose name says training and whose file says otherwise."""
    if not subject.launches:
        return
    trained_on = {
        override.value.value
        for launch in subject.launches
        for override in launch.overrides
        if override.key == TRAINING and override.value is not None
    }
    text = subject.script.source.text
    for assignment in subject.nodes.of(Assignment):
        if "train" not in assignment.name.lower() or HELD_OUT.search(assignment.name):
            continue
        for path in files(text[assignment.start : assignment.end]):
            name = last(path)
            if named_for_tests(name) and not any(name in (one or "") for one in trained_on):
                yield subject.finding(
                    check,
                    subject.span(assignment),
                    f"{assignment.name} holds {name}, which is named like a file for tests",
                    help="name the training file",
                )
                break


def files(text: str) -> Iterator[str]:
    """The names of data files in a text. One expression for run and ending would take long where no ending follows."""
    for run in RUN.findall(text):
        ends = [found.end() for found in ENDING.finditer(run)]
        if ends:
            yield run[: ends[-1]]
