"""Real bash as a witness: what it would start, recorded with no program on PATH."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lint.bash.evaluator import read
from lint.bash.parser import parse
from lint.bash.reading import Reading
from lint.text import Source

RECORDER = r"""
command_not_found_handle() { local IFS=$'\x1f'; printf '%s\x1e' "$*" >>"$RECORD"; return 0; }
"""


@dataclass(frozen=True)
class EmptyFolder:
    """The files of a script that is started in an empty folder."""

    scripts: Mapping[str, str]

    def read(self, path: str) -> Source | None:
        return Source(path, self.scripts[path]) if path in self.scripts else None

    def exists(self, path: str) -> bool | None:
        return None if path.startswith("/") else path in self.scripts

    def names(self, directory: str) -> Collection[str] | None:
        return [name for name in self.scripts if "/" not in name] if directory in (".", "./", "") else None


def run_bash(
    script: str,
    arguments: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    scripts: Mapping[str, str] | None = None,
) -> tuple[list[list[str]], int]:
    """The argv of every command that bash does not know, in order, and the exit status of the script."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("nothing", "work"):
            os.mkdir(os.path.join(folder, name))
        work = Path(folder, "work")
        for name, text in (scripts or {}).items():
            (work / name).write_text(text, errors="surrogateescape")
        start = Path(folder, "script.sh")
        start.write_text(script, errors="surrogateescape")
        recorder = Path(folder, "recorder.sh")
        recorder.write_text(RECORDER)
        record = Path(folder, "record")
        variables = {
            "PATH": os.path.join(folder, "nothing"),
            "BASH_ENV": str(recorder),
            "RECORD": str(record),
            "HOME": "/home/me",
            "LC_ALL": "C.UTF-8",
            **(environment or {}),
        }
        done = subprocess.run(
            ["/bin/bash", str(start), *arguments],
            cwd=work,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=10,
            check=False,
        )
        data = record.read_bytes().decode(errors="surrogateescape") if record.exists() else ""
        return [entry.split("\x1f") for entry in data.split("\x1e") if entry], done.returncode


def read_script(
    script: str,
    arguments: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    scripts: Mapping[str, str] | None = None,
) -> Reading:
    """Our reading of the same script in the same place."""
    return read(
        parse(Source("script.sh", script)),
        environment={"HOME": "/home/me", **(environment or {})},
        arguments=arguments,
        files=EmptyFolder(scripts or {}),
    )


def commands_of(reading: Reading) -> list[list[str]]:
    """The argv of every command of the first path; of another bash, what it runs is recorded, and not itself."""
    commands = [command for command in reading.commands if not command.scenario]
    return [[word.shown for word in command.words] for command in commands if command.words[0].value != "/bin/bash"]


def assert_same_as_bash(
    script: str,
    arguments: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    scripts: Mapping[str, str] | None = None,
    status: bool = True,
) -> None:
    """Our reading has the commands, word for word, and the exit status that real bash has."""
    expected, code = run_bash(script, arguments, environment, scripts)
    reading = read_script(script, arguments, environment, scripts)
    assert commands_of(reading) == expected
    if status:
        assert reading.exit_status == code
