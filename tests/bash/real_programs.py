"""Real programs that start other programs as witnesses: nohup, env, xargs, ... and a recorder that they start.

The only other program on PATH is `trainer`. It writes down its words, and the variables A to D.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lint.bash.programs.handing import handed_on
from lint.bash.programs.launchers import steps, texts
from lint.bash.reading import RunCommand
from tests.bash.real_bash import read_script

TRAINER = r"""#!/bin/bash
variables=; for name in A B C D; do [[ -v $name ]] && variables+="$name=${!name};"; done
words=; for word in "$@"; do words+=$word$'\x1f'; done
printf '%s\x1e' "$words"$'\x1d'"$variables" >>"$RECORD"
"""
NAMES = "ABCD"


@dataclass(frozen=True)
class Start:
    """One start of the trainer: its words after the name, and the variables that it saw."""

    words: tuple[str, ...]
    variables: dict[str, str]


def really_started(script: str, programs: Sequence[str], fakes: dict[str, str] | None = None) -> list[Start]:
    """Every start of the trainer when real bash runs a script with these real programs, and with scripts as `fakes`."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("bin", "work"):
            os.mkdir(os.path.join(folder, name))
        for name in programs:
            os.symlink(str(shutil.which(name)), os.path.join(folder, "bin", name))
        for name, text in {"trainer": TRAINER, **(fakes or {})}.items():
            file = Path(folder, "bin", name)
            file.write_text(text)
            file.chmod(0o755)
        start, record = Path(folder, "script.sh"), Path(folder, "record")
        start.write_text(script)
        subprocess.run(
            ["/bin/bash", str(start)],
            cwd=Path(folder, "work"),
            env={"PATH": os.path.join(folder, "bin"), "RECORD": str(record), "HOME": "/home/me", "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=20,
            check=False,
        )
        text = record.read_text() if record.exists() else ""
    return [_start(entry) for entry in text.split("\x1e") if entry]


def _start(entry: str) -> Start:
    words, variables = entry.split("\x1d")
    pairs = dict(pair.split("=", 1) for pair in variables.split(";") if pair)
    return Start(tuple(words.split("\x1f")[:-1]), pairs)


def read_starts(script: str) -> list[Start]:
    """Every start of the trainer in our reading."""
    return list(_starts(read_script(script).commands))


def _starts(commands: Sequence[RunCommand]) -> Iterator[Start]:
    for command in commands:
        way = tuple(steps(texts(command.words)))
        position = way[-1].after if way and way[-1].what == "command" else 0
        if command.words[position].value == "trainer" and not command.scenario:
            variables = handed_on(way, command.words, command.contents).variables(command.environment)
            yield Start(
                tuple(word.shown for word in command.words[position + 1 :]),
                {name: text.shown for name, text in variables.items() if name in NAMES},
            )
