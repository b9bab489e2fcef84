"""Measures the speed of the command on the scripts of a checkout, beside the tools it is compared with.

    python -m tests.bench TREE [--runs 3] [--many 10000]

Prints a Markdown table: each row is the median of some runs of a whole process, measured in this one session, so that
ratios hold whatever the machine does.
"""

from __future__ import annotations

import argparse
import itertools
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from lint import files

TOOL = (sys.executable, "-m", "lint")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--many", type=int, default=10_000)
    given = parser.parse_args()
    tree = given.tree.resolve()
    scripts = files.discover([str(tree)], lambda path: False).paths
    print(f"{len(scripts)} scripts of {tree.name}, {os.cpu_count()} cores, Python {sys.version.split()[0]}\n")
    with tempfile.TemporaryDirectory() as folder:
        rows = list(measure(tree, scripts, Path(folder), given.runs, given.many))
    alone = next(seconds for name, seconds, _ in rows if name.startswith("shellcheck alone"))
    print("| what | seconds | of shellcheck alone | remark |\n|---|---|---|---|")
    for name, seconds, remark in rows:
        print(f"| {name} | {seconds:.2f} | {seconds / alone:.2f} | {remark} |")


def measure(
    tree: Path, scripts: Sequence[str], folder: Path, runs: int, many: int
) -> itertools.chain[tuple[str, float, str]]:
    """The rows of the table: what, seconds, remark."""
    shellcheck = Path(sys.executable).with_name("shellcheck")
    one = min(scripts, key=lambda path: abs(os.path.getsize(path) - 4000))

    def check(*arguments: str) -> Callable[[], object]:
        return lambda: run([*TOOL, "check", "--format", "json", *arguments], folder)

    def row(name: str, act: Callable[[], object], remark: str = "") -> tuple[str, float, str]:
        return name, median(act, runs), remark

    first = [
        row("shellcheck alone, one process", lambda: run([shellcheck, "--norc", "-f", "json1", *scripts], folder)),
        row("own rules, one process, cold", check("--no-cache", "--no-shellcheck", "--jobs", "1", str(tree))),
        row("own rules, cold", check("--no-cache", "--no-shellcheck", str(tree))),
        row("own rules and shellcheck, cold", check("--no-cache", str(tree))),
    ]
    check(str(tree))()
    second = [
        row("the same, warm cache", check(str(tree))),
        row("one script, own rules", check("--no-cache", "--no-shellcheck", one), Path(one).name),
        row("recipe-lint --version", lambda: run([*TOOL, "--version"], folder)),
    ]
    third = [row(f"{many} scripts, own rules, cold", *crowd(scripts, folder, many))] if many else []
    return itertools.chain(first, second, third)


def crowd(scripts: Sequence[str], folder: Path, count: int) -> tuple[Callable[[], object], str]:
    """A folder of many scripts, each a little different, and the call that checks them."""
    crowded = folder / "crowd"
    crowded.mkdir()
    for number, path in zip(range(count), itertools.cycle(scripts), strict=False):
        text = Path(path).read_bytes()
        (crowded / f"{number:05}_{Path(path).name}").write_bytes(text + f"\n# copy {number}\n".encode())
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss

    def act() -> object:
        run([*TOOL, "check", "--no-cache", "--no-shellcheck", "--statistics", str(crowded)], folder)
        return None

    act()
    peak = max(before, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    return act, f"{peak / 1024:.0f} MiB at most"


def run(command: Sequence[str | Path], folder: Path) -> None:
    """Run a command to its end; findings are no failure."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{command[0]} ended with {done.returncode}: {done.stderr.decode()[-500:]}")


def median(act: Callable[[], object], runs: int) -> float:
    """The median time of some runs, in seconds."""
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        act()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


if __name__ == "__main__":
    main()
