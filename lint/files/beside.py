"""A program that runs beside this one: bounded in the time it takes, and ended when this one ends, however that comes.

A shell starts the program and holds one end of a pipe, this process the other. Whatever ends this process, also a
signal that nobody can catch, the kernel closes its end, and the shell ends the program.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO

LEASH = """
exec 3<&2 2>/dev/null 4<&0
ulimit -t "$1"
shift
"$@" <&4 3<&- 4<&- &
program=$!
{ read -r _ <&3; kill -9 "$program"; } >/dev/null 4<&- &
watcher=$!
exec 3<&- 4<&-
wait "$program"
status=$?
kill "$watcher"
wait "$watcher"
exit "$status"
"""
"""Where standard error would be, the shell finds the pipe: nothing is ever read from it but its end."""

SHELL = "/bin/sh"
AT_ONCE = 2  # seconds that the end of a program may take
KILLED = 128 + 9
"""The status that the shell gives a program that was killed: by its bound, by us, or by a system without memory."""


class Beside:
    """A program at work. What it says goes to a file without a name, as nobody listens while it works."""

    def __init__(
        self,
        command: Sequence[str],
        seconds: int,
        *,
        text: bytes = b"",
        environment: Mapping[str, str] | None = None,
        folder: str | None = None,
    ) -> None:
        """Start it with `text` as its standard input; it may take `seconds` of the processor. Raises OSError."""
        self._output: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 -- open until it is read
        theirs, pipe = os.pipe()
        self._pipe: int | None = pipe
        try:
            with tempfile.TemporaryFile() as given:
                given.write(text)
                given.seek(0)
                self._process = subprocess.Popen(
                    [SHELL, "-c", LEASH, SHELL, str(seconds), *command],
                    stdin=given,
                    stdout=self._output,
                    stderr=theirs,
                    env=environment,
                    cwd=folder,
                )
        except BaseException:
            self._output.close()
            os.close(pipe)
            raise
        finally:
            os.close(theirs)

    def status(self) -> int | None:
        """Its exit status once it has ended, else None."""
        return self._process.poll()

    def said(self) -> bytes:
        """All that it wrote to standard output; to be asked for once, when it has ended."""
        self.end()
        with self._output as output:
            output.seek(0)
            return output.read()

    def end(self) -> None:
        """End it now, if it is still at work."""
        if self._pipe is not None:
            os.close(self._pipe)
            self._pipe = None
        with suppress(subprocess.TimeoutExpired):  # a program that the system does not let go is not waited for
            self._process.wait(AT_ONCE)
