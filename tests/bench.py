"""Measures the speed of the command on the scripts of a checkout, beside the tools it is compared with.

    python -m tests.bench TREE [--runs 3] [--many 10000]

Prints a Markdown table. Each row is a whole process, run several times in turn with the others, so that what slows the
machine down slows all of them: the median of its seconds by the clock, of its seconds of CPU, and of what it takes of
the time that shellcheck took in the same turn.
"""

from __future__ import annotations

import argparse
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lint.files import discovery

TOOL = (sys.executable, "-m", "lint")
ALONE = "shellcheck alone, one process"
Command = Sequence[str | Path]


@dataclass(frozen=True, slots=True)
class Run:
    """What one run took: seconds by the clock, seconds of CPU and the most memory of a process, in bytes."""

    seconds: float
    processor: float
    memory: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--many", type=int, default=10_000)
    given = parser.parse_args()
    tree = given.tree.resolve()
    scripts = discovery.discover([str(tree)], lambda path: False).paths
    print(f"{len(scripts)} scripts of {tree.name}, {os.cpu_count()} cores, Python {sys.version.split()[0]}\n")
    print("| what | seconds | CPU seconds | of shellcheck alone | MiB |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = commands(tree, scripts)
        run(rows["the same, warm cache"], folder)  # what the tool keeps: its cache, and Python's compiled modules
        turns = [{what: run(command, folder) for what, command in rows.items()} for _ in range(given.runs)]
        for what in rows:
            share = statistics.median(turn[what].seconds / turn[ALONE].seconds for turn in turns)
            show(what, [turn[what] for turn in turns], f"{share:.2f}")
        for count in (given.many // 10, given.many) if given.many else ():
            crowd = make_crowd(scripts, folder / str(count), count)
            command = (*TOOL, "check", "--no-cache", "--no-shellcheck", "--statistics", crowd)
            show(f"{count} scripts, own rules, cold", [run(command, folder)], "")


def show(what: str, runs: Sequence[Run], share: str) -> None:
    """Print a row of the table."""
    seconds = statistics.median(run.seconds for run in runs)
    processor = statistics.median(run.processor for run in runs)
    memory = max(run.memory for run in runs) / 1024**2
    print(f"| {what} | {seconds:.2f} | {processor:.2f} | {share} | {memory:.0f} |", flush=True)


def commands(tree: Path, scripts: Sequence[str]) -> Mapping[str, Command]:
    """What is measured."""
    shellcheck = Path(sys.executable).with_name("shellcheck")
    one = min(scripts, key=lambda path: abs(os.path.getsize(path) - 4000))
    check = (*TOOL, "check", "--format", "json")
    return {
        ALONE: (shellcheck, "--norc", "-f", "json1", *scripts),
        "own rules, one process, cold": (*check, "--no-cache", "--no-shellcheck", "--jobs", "1", tree),
        "own rules, cold": (*check, "--no-cache", "--no-shellcheck", tree),
        "own rules and shellcheck, cold": (*check, "--no-cache", tree),
        "the same, warm cache": (*check, tree),
        f"one script ({Path(one).name}), own rules": (*check, "--no-cache", "--no-shellcheck", one),
        "`recipe-lint --version`": (*TOOL, "--version"),
    }


def make_crowd(scripts: Sequence[str], folder: Path, count: int) -> Path:
    """A folder of many scripts, each a little different."""
    folder.mkdir()
    for number, path in zip(range(count), itertools.cycle(scripts), strict=False):
        text = Path(path).read_bytes()
        (folder / f"{number:05}_{Path(path).name}").write_bytes(text + f"\n# copy {number}\n".encode())
    return folder


def run(command: Command, folder: Path) -> Run:
    """Run a command to its end; findings are no failure. Python may keep its compiled modules, as it does for users."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(folder / "compiled")
    with open(folder / "errors", "wb") as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        said = (folder / "errors").read_text("utf-8", "replace")[-500:]
        sys.exit(f"{command[0]} ended with {process.returncode}: {said}")
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


if __name__ == "__main__":
    main()
