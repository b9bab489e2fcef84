"""Compares our reading of every script of a checkout with what real bash would start.

    python -m tests.corpus TREE [--verbose]

The scripts are copied to a temporary folder and run there by real bash, as nobody and with no program on PATH: every
command that is not a builtin or a function is recorded instead of started. A command equals ours if some command of
ours has the same words; words that we call unknown may be anything. Where a condition is unknown we read both ways, so
a command of ours that bash did not start counts only if no condition led to it. The exit status is 1 if any command
differs.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from lint.bash.evaluator import read
from lint.bash.files import Checkout
from lint.bash.parser import parse
from lint.bash.reading import Known, RunCommand, Text
from lint.text import Source
from tests.recorder import ENVIRONMENT, TIMEOUT, run_recorded


@dataclass(frozen=True)
class Comparison:
    """One script: how many commands of real bash are ours too, and the commands that differ."""

    path: str
    equal: int
    unknown: int
    missing: list[list[str]]  # started by bash, not among ours
    extra: list[list[str]]  # certain in our reading, not started by bash
    other_way: int  # ours on the other way of an unknown condition
    note: str = ""


def record(root: Path, path: Path) -> tuple[list[list[str]], str]:
    """What real bash would start (each process in its own order), and a note if it did not come to an end."""
    recorded = run_recorded(root, [str(path.relative_to(root))])
    note = "" if recorded.ended else f"bash did not end in {TIMEOUT} s"
    return [entry.split("\x1f") for entry in recorded.data.split("\x1e") if entry], note


def ours(root: Path, path: Path) -> list[RunCommand]:
    """The external commands of our reading that real bash comes to: it starts no other program that starts a shell."""
    script = parse(Source.decode(str(path.relative_to(root)), path.read_bytes()))
    commands = read(script, environment={**ENVIRONMENT, "PWD": str(root)}, files=Checkout(root, root)).commands
    return [command for command in commands if _by_bash_alone(command)]


def _by_bash_alone(command: RunCommand) -> bool:
    starter = command.starter
    return starter is None or (starter.words[0].value == "bash" and _by_bash_alone(starter))


def compare(path: str, expected: list[list[str]], found: list[RunCommand], note: str) -> Comparison:
    exact: Counter[tuple[str, ...]] = Counter()
    certain: Counter[tuple[str, ...]] = Counter()
    vague: list[RunCommand] = []
    for command in found:
        values = [word.value for word in command.words]
        if None in values:
            vague.append(command)
            continue
        known = tuple(value or "" for value in values)
        exact[known] += 1
        certain[known] += not command.scenario
    vague.sort(key=lambda command: bool(command.scenario))
    equal = unknown = 0
    missing: list[list[str]] = []
    for words in expected:
        key = tuple(words)
        if exact[key]:
            equal += 1
            exact[key] -= 1
            certain[key] -= 1
            continue
        match = next((command for command in vague if matches(command, words)), None)
        if match is None:
            missing.append(words)
        else:
            unknown += 1
            vague.remove(match)
    extra = [list(words) for words, count in certain.items() for _ in range(min(count, exact[words]))]
    extra += [[word.shown for word in command.words] for command in vague if not command.scenario]
    other_way = sum(exact.values()) + len(vague) - len(extra)
    return Comparison(path, equal, unknown, missing, extra, other_way, note)


def matches(command: RunCommand, words: list[str]) -> bool:
    """Whether an argv can be the unknown command's: unknown pieces are any text, split ones any number of words."""
    pattern = "\x1f".join(_pattern(word) for word in command.words)
    splits = any(not isinstance(piece, Known) and piece.splits for word in command.words for piece in word.pieces)
    text = "\x1f".join(words)
    if re.fullmatch(pattern, text, re.DOTALL):
        return True
    return splits and re.fullmatch(pattern.replace("\x1f", "\x1f?"), text, re.DOTALL) is not None


def _pattern(word: Text) -> str:
    return "".join(
        re.escape(piece.text) if isinstance(piece, Known) else ".*" if piece.splits else "[^\x1f]*"
        for piece in word.pieces
    )


def scripts(tree: Path) -> list[Path]:
    return sorted(path for path in tree.rglob("*.sh") if path.is_file() and ".git" not in path.parts)


def copy_scripts(tree: Path, target: Path) -> list[Path]:
    """The folders and scripts of the tree, and what scripts may source, in a place where they may write."""
    for folder in tree.rglob("*/"):
        if folder.is_dir() and ".git" not in folder.parts:
            (target / folder.relative_to(tree)).mkdir(parents=True, exist_ok=True)
    for folder in (target, *target.rglob("*/")):
        folder.chmod(0o777)
    for pattern in ("*.sh", "*.bash", "*.env"):
        for path in tree.rglob(pattern):
            if path.is_file() and ".git" not in path.parts:
                copy = target / path.relative_to(tree)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
    return scripts(target)


def reasons(readings: Iterable[list[RunCommand]]) -> list[tuple[str, int]]:
    """Why words are unknown, with the number of scripts that each reason touches, most frequent first."""
    counter: Counter[str] = Counter()
    for commands in readings:
        pieces = [piece for command in commands for word in command.words for piece in word.pieces]
        counter.update({piece.reason for piece in pieces if not isinstance(piece, Known)})
    return counter.most_common()


def is_launch(words: list[str]) -> bool:
    return any(re.match(r"(verl|recipe|examples)[.\w]*\.\w+$", word) for word in words)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--verbose", action="store_true", help="print every command that differs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        paths = copy_scripts(options.tree, root)
        found = {path: ours(root, path) for path in paths}
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            recorded = dict(zip(paths, pool.map(lambda path: record(root, path), paths), strict=True))
        results = [
            compare(str(path.relative_to(root)), recorded[path][0], found[path], recorded[path][1]) for path in paths
        ]
    launches = sum(is_launch(words) for expected, _ in recorded.values() for words in expected)
    missing = [words for result in results for words in result.missing]
    for result in results:
        if result.missing or result.extra or result.note:
            print(f"{result.path}: {len(result.missing)} missing, {len(result.extra)} extra {result.note}")
            if options.verbose:
                for label, commands in (("bash", result.missing), ("ours", result.extra)):
                    for words in commands:
                        print(f"    {label}: {' '.join(words)[:400]}")
    print("unknown because of:", *(f"{reason} ({count})" for reason, count in reasons(found.values())), sep="\n    ")
    whole = sum(not result.unknown for result in results)
    started = [[word.value for word in command.words] for commands in found.values() for command in commands]
    known = sum(None not in words for words in started if is_launch([word or "" for word in words]))
    trainers = sum(is_launch([word or "" for word in words]) for words in started)
    print(f"{len(results)} scripts, {launches} launches, {sum(map(is_launch, missing))} of them different")
    print(f"commands that bash would start: {sum(len(expected) for expected, _ in recorded.values())}")
    print(f"  equal, every word known: {sum(result.equal for result in results)}")
    print(f"  equal, some words unknown: {sum(result.unknown for result in results)}")
    print(f"  not among ours: {len(missing)}")
    print(f"ours, not started by bash: {sum(len(result.extra) for result in results)}")
    print(f"ours, on the other way of an unknown condition: {sum(result.other_way for result in results)}")
    print(f"scripts with nothing unknown: {whole} of {len(results)}")
    print(f"launches on every way with nothing unknown: {known} of {trainers}")
    return 1 if missing or any(result.extra for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
