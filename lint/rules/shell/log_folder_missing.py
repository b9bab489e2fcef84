r"""The log is written into a folder that the script does not make.

## What it finds
A `tee` behind a launch, or a redirection of the launch, to a relative path with a folder, when no command before it
makes that folder (`mkdir -p`, `install -d`).

## Why it hurts
`tee` complains once and goes on without the file: a run of days without a log. A redirection into a missing folder
keeps the launch from starting at all.

## When it fails
silently: no log (tee); before start: bash refuses the redirection

## Example that fails
```bash
set -o pipefail
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 2>&1 | tee logs/train.log  # <- here
```

## Example that passes
```bash
set -o pipefail
mkdir -p logs
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 2>&1 | tee logs/train.log
```

## Fix
`mkdir -p` with the folder, before the launch.

## Sources
- POSIX: tee; bash reference manual, 3.6 Redirections
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from lint.bash.reading import RunCommand, Text
from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject
from lint.text import Span

MAKERS = ("mkdir", "install")


def folder(target: Text) -> str | None:
    """The folder of a relative path, as shown; None for files here, absolute paths and devices."""
    path = target.shown
    head = posixpath.dirname(path)
    if not head or path.startswith(("/", "~", "<unknown")) or set(head) <= {".", "/"}:
        return None
    return posixpath.normpath(head)


def made(commands: tuple[RunCommand, ...]) -> set[str]:
    """Folders that commands make, with all their parents."""
    found: set[str] = set()
    for command in commands:
        if not command.words or posixpath.basename(command.words[0].shown) not in MAKERS:
            continue
        for word in command.words[1:]:
            path = posixpath.normpath(word.shown)
            while path not in ("", ".", "/"):
                found.add(path)
                path = posixpath.dirname(path)
    return found


def targets(launch: RunCommand, following: tuple[RunCommand, ...]) -> Iterator[tuple[Span, Text, str]]:
    """Files that a launch writes its output to: position, path, and the program that opens it."""
    for redirection in launch.redirections:
        if redirection.operator in (">", ">>", ">|", "&>", "&>>"):
            yield redirection.span, redirection.target, "bash"
    if launch.piped_into == "tee" and following and following[0].words[0].value == "tee":
        for word, span in zip(following[0].words[1:], following[0].word_spans[1:], strict=True):
            if not word.shown.startswith("-"):
                yield span, word, "tee"


@rule(severity="warning", confidence="medium", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """A log path whose folder nobody makes."""
    reported: set[Span] = set()
    for launch in subject.launches:
        preceding, following = subject.split(launch)
        for span, target, program in targets(launch.command, following):
            missing = folder(target)
            if missing is None or span in reported or missing in made(preceding):
                continue
            reported.add(span)
            lost = "tee goes on without a log" if program == "tee" else "bash does not start the launch"
            yield subject.finding(
                check,
                span,
                f"no command makes the folder {missing}: without it {lost}",
                help=f'add mkdir -p "{missing}" before the launch',
            )
