r"""The script changes the host for other jobs: it kills every Python process, or edits installed packages.

## What it finds
`pkill` or `killall` by the name `python` (or `ray`), and `sed -i` on a file below `site-packages` or on a Python file
with an absolute path.

## Why it hurts
On a shared node `pkill -9 python` ends the jobs of everybody whose processes this user may kill, and on one's own node
the editor, the notebook and the monitoring. An edit of an installed package happens again on every run and hits other
lines after an update.

## When it fails
silently: other jobs die, or another file is edited than was meant

## Example that fails
```bash
pkill -9 python  # <- here
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 "$@"
```

## Example that passes
```bash
ray stop
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 "$@"
```

## Fix
`ray stop` ends what Ray started. Patch packages when the image is built.

## Sources
- pkill(1), sed(1)
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from lint.bash.reading import RunCommand
from lint.findings import Finding, Related
from lint.regular import regular
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject

KILLERS = ("pkill", "killall")
BROAD = regular(r"python[\d.]*\Z|ray\Z")
INSTALLED = regular(r".*/site-packages/|/.*\.py\Z")


@rule(severity="warning", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Killing by a broad name, and editing installed files in place; each place once, whatever the scenarios.

    All edits of one file are one finding.
    """
    commands: dict[tuple[str, int], RunCommand] = {}
    for reading in subject.readings:
        for command in reading.commands:
            commands.setdefault((command.span.path, command.span.start), command)
    edits: dict[str, list[RunCommand]] = {}
    for command in commands.values():
        words = command.words[1:] if command.words and command.words[0].shown == "sudo" else command.words
        program = posixpath.basename(words[0].shown) if words else ""
        given = [word.shown for word in words[1:]] if program in (*KILLERS, "sed") else []
        broad = [word for word in given if BROAD.match(word)]
        if program in KILLERS and broad:
            yield subject.finding(
                check,
                command.span,
                f"{program} {broad[0]} ends every process of that name on this node, not only this job's",
                help="write ray stop, or kill by process id",
            )
        edited = [word for word in given if INSTALLED.match(word)]
        if program == "sed" and edited and any(re.match(r"-[a-zA-Z]*i", word) for word in given):
            edits.setdefault(edited[0], []).append(command)
    for file, (first, *others) in edits.items():
        yield subject.finding(
            check,
            first.span,
            f"sed -i edits {file}, again on every run",
            help="patch the package when the image is built",
            related=[Related(other.span, "edited here, too") for other in others],
        )
