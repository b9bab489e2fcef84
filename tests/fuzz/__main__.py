"""Feeds mutated scripts to the whole command: no traceback, no hang, output that its readers can read.

    python -m tests.fuzz [TREE] [--count 10000] [--seed 1] [--around]

Scripts come from the tree (else from examples/). Each goes through `check` once for its findings and once more in
another way (another format, fixes, shellcheck, another subcommand). `--around` spoils what is around scripts instead:
settings, comments to the linter, baselines, caches, names of commits, workflows, requirements, files that are none,
other runs at the same time, questions of editors, repositories and disks that are not as usual. Each failure is
printed with the seed that makes it again; the exit status is 1 if there was one.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from lint.__main__ import TRACEBACK
from lint.files import discovery
from lint.output import FORMATS
from tests.fuzz import around
from tests.fuzz.accidents import mutated
from tests.fuzz.calling import wrong

SCRIPT = "fuzz.sh"
CHECK = ("check", SCRIPT, "--no-cache", "--jobs", "1", "--confidence", "low")
QUIET = (*CHECK, "--no-shellcheck")
WAYS: tuple[tuple[str, ...], ...] = (
    *((*QUIET, "--format", name) for name in FORMATS),
    (*CHECK, "--format", "json"),
    (*QUIET, "--diff", "--unsafe-fixes"),
    (*QUIET, "--fix", "--unsafe-fixes"),
    (*QUIET, "--add-ignore", "of a test"),
    (*QUIET, "--statistics", "--strict", "--device", "ascend-a3", "--nnodes", "2"),
    (*QUIET, "--release", "0.8.0", "--env", "DEVICE=npu"),
    ("show", SCRIPT),
    ("show", SCRIPT, "--format", "json"),
    ("show", SCRIPT, "--commands"),
    ("memory", SCRIPT, "--device", "ascend-a2"),
    ("memory", SCRIPT, "--format", "json", "--tp", "2"),
    ("compare", SCRIPT, "before.sh", "--format", "json"),
    ("copies", "backport", SCRIPT, "--to", "0.8.0"),
    ("new", SCRIPT, "new.sh", "--force", "--model", "Qwen3-14B", "--nnodes", "2", "--device", "ascend-a3"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tree", nargs="?", default="examples")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--around", action="store_true")
    given = parser.parse_args()
    scripts = [Path(path).read_bytes() for path in discovery.discover([given.tree], lambda path: False).paths]
    if not scripts:
        sys.exit(f"fuzz: no scripts in {given.tree}")
    failures = 0
    slowest = (0.0, 0)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for seed in range(given.seed, given.seed + given.count):
            started = time.process_time()
            for problem in (around.problems if given.around else problems)(scripts, random.Random(seed)):
                failures += 1
                print(f"seed {seed}: {problem}", flush=True)
            slowest = max(slowest, (time.process_time() - started, seed))
    seconds = time.monotonic() - begin
    print(f"{given.count} scripts in {seconds:.0f} s, {failures} failures; seed {slowest[1]} took {slowest[0]:.1f} s")
    sys.exit(failures > 0)


def problems(scripts: list[bytes], dice: random.Random) -> Iterator[str]:
    """What goes wrong with one script: defects that the tool itself reports, exceptions, too much time, bad output."""
    before = dice.choice(scripts)
    for name, text in (("before.sh", before), (SCRIPT, mutated([*scripts, before], dice))):
        Path(name).write_bytes(text)
    for arguments in ((*QUIET, "--format", "json"), dice.choice(WAYS)):
        yield from wrong(arguments, (0, 1, 2, 3) if arguments[0] == "new" else (0, 1, 3))


if __name__ == "__main__":
    os.environ.setdefault("COLUMNS", "100")
    os.environ[TRACEBACK] = "1"
    main()
