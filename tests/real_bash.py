"""Real bash as a witness: the environment and the user that it is given, what it would start with no program on PATH,
and how it is ended with all that it left."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Timer
from typing import Any

ENVIRONMENT = {"HOME": "/home/me", "LC_ALL": "C.UTF-8"}
NOBODY: dict[str, Any] = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}


def run_with_children(command: Sequence[str], seconds: float, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run a command; whatever it left in the background ends with it. Raises subprocess.TimeoutExpired."""
    late = Event()

    def end() -> None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)

    def end_late() -> None:
        late.set()
        end()

    with subprocess.Popen(command, start_new_session=True, **options) as process:
        timer = Timer(seconds, end_late)  # a limit of `communicate` would ask again and again, up to 0.05 s too late
        timer.start()
        try:
            output, errors = process.communicate()
        finally:
            timer.cancel()
            end()
    if late.is_set():
        raise subprocess.TimeoutExpired(command, seconds)
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


# Words separated by NUL, each command preceded by the number of its words.
RECORDER = 'command_not_found_handle() { printf \'%s\\0\' "$#" "$@" >>"$RECORD"; }\n'


def recorded(
    script: str,
    folder: Path,
    seconds: float,
    environment: Mapping[str, str],
    arguments: Sequence[str] = (),
    first: str = "",
) -> tuple[list[list[str]], int]:
    """The argv of every command that bash does not find, in order, and the exit status of a script.

    It is started in `folder/work`, under its path from there; `first` is what bash reads before. Raises
    subprocess.TimeoutExpired.
    """
    recorder, record = folder / "recorder", folder / "record"
    recorder.write_text(RECORDER + first, encoding="utf-8")
    record.write_bytes(b"")
    done = run_with_children(
        ["/bin/bash", script, *arguments],
        seconds,
        cwd=folder / "work",
        env={**environment, "RECORD": str(record), "BASH_ENV": str(recorder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    words = record.read_bytes().decode(errors="surrogateescape").split("\0")[:-1]
    commands: list[list[str]] = []
    while words:
        count = int(words[0])
        commands.append(words[1 : count + 1])
        words = words[count + 1 :]
    return commands, done.returncode
