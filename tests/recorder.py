"""Runs a script in real bash as a witness: every command that it would start is recorded instead.

The script runs as nobody and with no program on PATH, so that bash hands each command to `command_not_found_handle`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ENVIRONMENT = {"HOME": "/home/me", "LC_ALL": "C.UTF-8"}
NOBODY: dict[str, Any] = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
TIMEOUT = 20  # seconds for one script

# Records every command that bash cannot find. A command outside the script is assumed to succeed, as our reading has
# it: so a folder that was to be made or cloned is there to change into, and basename and dirname answer.
RECORDER = r"""
__record() { local IFS=$'\x1f'; printf '%s\x1e' "$*" >>"$CORPUS_RECORD/$BASHPID"; }
__folder() { [[ $1 == /* || $1 == *..* ]] || "$CORPUS_MKDIR" -p -- "$1" 2>/dev/null; return 0; }
command_not_found_handle() { __record "$@"; return 0; }
exec() { if (($#)); then "$@"; exit; fi; }
__drain() { while IFS= read -r; do :; done; }
seq() {
    __record seq "$@"
    local first=1 step=1 last=${*: -1} number
    (($# > 1)) && first=$1
    (($# > 2)) && step=$2
    for ((number = first; step > 0 ? number <= last : number >= last; number += step)); do echo "$number"; done
}
tee() { __record tee "$@"; __drain; }
ulimit() { :; }
bash() { __record bash "$@"; if [[ -f ${1-} || ${1-} == -*c ]]; then "$BASH" "$@"; fi; }
mkdir() { __record mkdir "$@"; __folder "${@: -1}"; }
cd() { __folder "${1:-.}"; builtin cd "$@" 2>/dev/null || return 0; }
mktemp() { __record mktemp "$@"; printf 'scratch.%s\n' "$BASHPID"; }
basename() {
    __record basename "$@"
    [[ $1 == -- ]] && shift
    local base=${1%/}; base=${base##*/}; printf '%s\n' "${base%"${2-}"}"
}
dirname() {
    __record dirname "$@"
    [[ $1 == -- ]] && shift
    local folder=.; [[ $1 == */* ]] && folder=${1%/*}; printf '%s\n' "${folder:-/}"
}
"""


@dataclass(frozen=True)
class Recorded:
    """What a run left behind: the record of each process in its order, what bash said, and if it came to an end."""

    data: str
    errors: str
    ended: bool


def run_recorded(
    folder: Path, words: Sequence[str], variables: Mapping[str, str] | None = None, prelude: str = RECORDER
) -> Recorded:
    """Run `bash WORDS...` in a folder, with `prelude` read before the script."""
    with tempfile.TemporaryDirectory() as scratch:
        beginning, log = Path(scratch, "prelude.sh"), Path(scratch, "record")
        log.mkdir()
        for open_to_all in (Path(scratch), log):
            os.chmod(open_to_all, 0o777)
        beginning.write_text(prelude)
        environment = {
            **ENVIRONMENT,
            **(variables or {}),
            "PATH": scratch,
            "BASH_ENV": str(beginning),
            "CORPUS_RECORD": str(log),
            "CORPUS_MKDIR": "/bin/mkdir",
        }
        try:
            done = run_with_children(
                ["/bin/bash", *words],
                TIMEOUT,
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                **NOBODY,
            )
            errors, ended = done.stderr, True
        except subprocess.TimeoutExpired as late:
            errors, ended = late.stderr or b"", False
        data = "".join(part.read_bytes().decode(errors="surrogateescape") for part in sorted(log.iterdir()))
    return Recorded(data, errors.decode(errors="replace"), ended)


def run_with_children(command: Sequence[str], seconds: float, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run a command; whatever it left in the background ends with it. Raises subprocess.TimeoutExpired."""
    with subprocess.Popen(command, start_new_session=True, **options) as process:
        try:
            output, errors = process.communicate(timeout=seconds)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    return subprocess.CompletedProcess(command, process.returncode, output, errors)
