"""Measures the speed of the command on the scripts of a checkout, beside the tools it is compared with.

    python -m tests.bench [TREE] [--runs 3] [--many 10000] [--write]

Prints a Markdown table, and with `--write` puts it into README.md. Each row is a whole process, run several times in
turn with the others, so that what slows the machine down slows all of them: the median of its seconds by the clock, of
its seconds of CPU, and of what it takes of the CPU seconds that shellcheck took in the same turn.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lint.files import discovery
from tests.bench.inputs import make_copies, make_crowd

REPOSITORY = Path(__file__).parents[2]
TOOL = (sys.executable, "-m", "lint")
ALONE = "shellcheck alone, one process"
HEAD = ("what", "goal", "seconds", "CPU seconds", "CPU of shellcheck alone", "MiB")
TABLE = re.compile(r"(?<=<!-- bench -->\n).*?(?=<!-- end of bench -->)", re.DOTALL)
Command = Sequence[str | Path]


@dataclass(frozen=True, slots=True)
class Run:
    """What one run took: seconds by the clock, seconds of CPU and the most memory of a process, in bytes."""

    seconds: float
    processor: float
    memory: int


@dataclass(frozen=True, slots=True)
class Measured:
    """A command, where it runs, and what DESIGN wants of it."""

    command: Command
    folder: Path
    goal: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tree", type=Path, nargs="?", default=REPOSITORY / "examples")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--many", type=int, default=0, help="measure growth up to this number of scripts, too")
    parser.add_argument("--write", action="store_true", help="write the table into README.md")
    given = parser.parse_args()
    tree = given.tree.resolve()
    scripts = [os.path.abspath(path) for path in discovery.discover([str(tree)], lambda path: False).paths]
    version = sys.version.split()[0]
    lines = [f"{len(scripts)} scripts of `{tree.name}`, {os.cpu_count()} cores, Python {version}:", ""]
    with tempfile.TemporaryDirectory() as name:
        for row in rows(tree, scripts, Path(name), given.runs, given.many):
            print(f"| {' | '.join(row)} |", flush=True)
            lines.append(f"| {' | '.join(row)} |")
    if given.write:
        readme = REPOSITORY / "README.md"
        table = "\n".join(lines) + "\n"
        readme.write_text(TABLE.sub(lambda _: table, readme.read_text("utf-8")), "utf-8")


def rows(tree: Path, scripts: Sequence[str], scratch: Path, runs: int, many: int) -> Iterator[Sequence[str]]:
    """The head of the table, then a row for each command."""
    yield HEAD
    yield ("---",) * len(HEAD)
    measured = commands(tree, scripts, scratch)
    run(measured["the same, warm cache"], scratch)  # what the tool keeps: its cache, and Python's compiled modules
    turns = [{what: run(one, scratch) for what, one in measured.items()} for _ in range(runs)]
    for what, one in measured.items():
        share = statistics.median(turn[what].processor / turn[ALONE].processor for turn in turns)
        yield shown(what, one.goal, [turn[what] for turn in turns], f"{share:.2f}")
    yield from parts(scripts, scratch)
    for count in (many // 10, many * 3 // 10, many) if many else ():
        crowd = make_crowd(scripts, scratch / f"crowd of {count}", count)
        one = Measured((*TOOL, "check", "--format", "json", "--no-cache", "--no-shellcheck", crowd), scratch)
        yield shown(f"{count:,} scripts, own rules, cold", "linear; memory flat", [run(one, scratch)], "")


def shown(what: str, goal: str, runs: Sequence[Run], share: str) -> Sequence[str]:
    """A row of the table."""
    seconds = statistics.median(run.seconds for run in runs)
    processor = statistics.median(run.processor for run in runs)
    memory = max(run.memory for run in runs) / 1024**2
    return (what, goal, f"{seconds:.2f}", f"{processor:.2f}", share, f"{memory:.0f}")


def commands(tree: Path, scripts: Sequence[str], scratch: Path) -> Mapping[str, Measured]:
    """What is measured as whole processes."""
    shellcheck = Path(sys.executable).with_name("shellcheck")
    asked = (shellcheck, "--norc", "-f", "json1")
    one = Path(min(scripts, key=lambda path: abs(os.path.getsize(path) - 4000)))
    alone = scratch / "alone"
    alone.mkdir()
    shutil.copy(one, alone)
    check = (*TOOL, "check", "--format", "json")
    own = (*check, "--no-cache", "--no-shellcheck")
    cores = os.cpu_count() or 1
    shares = f"printf '%s\\0' {shlex.join(scripts)} | xargs -0 -n 24 -P {cores} {shlex.join(map(str, asked))}"
    return {
        ALONE: Measured((*asked, *scripts), scratch),
        f"shellcheck alone, `xargs -n 24 -P {cores}`": Measured(("sh", "-c", f"{shares} || :"), scratch),
        "own rules, one process, cold": Measured((*own, "--jobs", "1", tree), scratch, "1.5 s"),
        "own rules, cold": Measured((*own, tree), scratch),
        "own rules and shellcheck, cold": Measured((*check, "--no-cache", tree), scratch, "0.65 of it by the clock"),
        "the same, warm cache": Measured((*check, tree), scratch, "0.4 s"),
        "one script in the checkout, own rules, cold": Measured((*own, one), scratch, "0.30 s"),
        "the same script outside of one": Measured((*own, alone / one.name), scratch, "0.30 s"),
        "`recipe-lint --version`": Measured((*TOOL, "--version"), scratch, "0.10 s"),
        "200 recipes with 2 copies each, all different, cold": Measured(
            (*TOOL, "copies", "--format", "json"), make_copies(scripts, scratch / "copies"), "3 s"
        ),
    }


def parts(scripts: Sequence[str], scratch: Path) -> Iterator[Sequence[str]]:
    """Parts of the tool, measured inside of a process."""
    for part, what, goal in (
        ("reading", "reading {} scripts, without rules", "0.8 s"),
        ("memory", "memory of a launch, with all its what-ifs (of {})", "0.020 s"),
    ):
        command = (sys.executable, "-m", "tests.bench.part", part, *scripts)
        done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, check=True, text=True)
        seconds, count = float(done.stdout.split()[0]), int(done.stdout.split()[1])
        each = seconds / max(count, 1) if part == "memory" else seconds
        yield (what.format(count), goal, "", f"{each:.3f}", "", "")


def run(measured: Measured, scratch: Path) -> Run:
    """Run a command to its end; findings are no failure. Python may keep its compiled modules, as it does for users."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(scratch / "compiled")
    environment["PYTHONPATH"] = str(REPOSITORY)
    with open(scratch / "errors", "wb") as errors:
        begin = time.perf_counter()
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(measured.command, cwd=measured.folder, env=environment, stdout=quiet, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        said = (scratch / "errors").read_text("utf-8", "replace")[-500:]
        sys.exit(f"{measured.command[0]} ended with {process.returncode}: {said}")
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


if __name__ == "__main__":
    main()
