"""Runs a script in real bash and records every command that it would start.

The script runs as nobody and with no program on PATH, so that bash hands each command to `command_not_found_handle`.
What the copies need is the environment that a trainer is given, too: a prelude of theirs may add to the record. (The
witness of the reader, `tests.corpus.jail`, runs each way of a script on a machine of its own, and records words only.)
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.real_bash import ENVIRONMENT, NOBODY, run_with_children

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
