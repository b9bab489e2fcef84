"""Real bash as a witness: what it would start, recorded with no program on PATH."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lint.bash.evaluator import read
from lint.bash.parser import parse
from lint.bash.reading import Reading
from lint.text import Source
from tests.real_bash import ENVIRONMENT, recorded

LONGEST = 10  # seconds


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
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for made in ("nothing", "work"):
            (folder / made).mkdir()
        for file, text in (scripts or {}).items():
            (folder / "work" / file).write_text(text, errors="surrogateescape")
        start = folder / "script.sh"
        start.write_text(script, errors="surrogateescape")
        variables = {**ENVIRONMENT, "PATH": str(folder / "nothing"), **(environment or {})}
        return recorded(str(start), folder, LONGEST, variables, arguments)


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
