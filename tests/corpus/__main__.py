"""Compares our reading of every script of a checkout with what real bash would start.

    python -m tests.corpus TREE... [--verbose] [--only PART]

Real bash runs each script in a jail that holds a copy of the checkout and no program: every command that is not a
builtin or a function is recorded, and succeeds. A command equals ours if some command of ours has the same words; words
that we call unknown may be anything. Where a condition is unknown we read both ways, so a command of ours that bash did
not start counts only if no condition led to it. The exit status is 1 if any command differs.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lint.bash.reading import RunCommand
from tests.corpus.comparing import Comparison, compare, is_launch, read_commands, reasons
from tests.corpus.jail import jail, run
from tests.corpus.trees import copy_tree


def check(tree: Path, only: str, verbose: bool) -> bool:
    """Compare one tree and say what differs; whether nothing does."""
    with tempfile.TemporaryDirectory(prefix="corpus") as folder:
        root = Path(folder).resolve()
        paths = [path for path in copy_tree(tree, root) if only in str(path)]
        found = {path: read_commands(root, path) for path in paths}
        with jail(root) as inside, ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            runs = pool.map(lambda path: run(inside, root, str(path.relative_to(root))), paths)
            results = [
                compare(str(path.relative_to(root)), recorded, found[path])
                for path, recorded in zip(paths, runs, strict=True)
            ]
    for result in results:
        _print_differences(result, verbose)
    counts = Counter(reason for commands in found.values() for reason in reasons(commands))
    print("unknown because of:", *(f"{reason} ({count})" for reason, count in counts.most_common(40)), sep="\n    ")
    _print_summary(tree.name, results, list(found.values()))
    return all(result.alike for result in results)


def _print_differences(result: Comparison, verbose: bool) -> None:
    if result.alike and not result.note:
        return
    print(f"{result.path}: {len(result.missing)} missing, {len(result.extra)} extra {result.note}")
    if verbose:
        for label, commands in (("bash", result.missing), ("ours", result.extra)):
            for words in commands[:40]:
                print(f"    {label}: {' '.join(words)[:400]!r}")


def _print_summary(name: str, results: Sequence[Comparison], found: Sequence[Sequence[RunCommand]]) -> None:
    started = [[word.value for word in command.words] for commands in found for command in commands]
    launches = [words for words in started if is_launch([word or "" for word in words])]
    rows = {
        "scripts": len(results),
        "scripts that bash does not end": sum(bool(result.note) for result in results),
        "launches of bash": sum(result.launches for result in results),
        "launches different": sum(result.launches_missing for result in results),
        "commands equal, every word known": sum(result.equal for result in results),
        "commands equal, some words unknown": sum(result.unknown for result in results),
        "commands missing in ours": sum(len(result.missing) for result in results),
        "commands extra in ours": sum(len(result.extra) for result in results),
        "commands on the other way of an unknown condition": sum(result.other_way for result in results),
        "scripts with nothing unknown": sum(not result.unknown for result in results),
        "our launches, on every way": len(launches),
        "our launches with nothing unknown": sum(None not in words for words in launches),
    }
    print(name, *(f"{count:8} {row}" for row, count in rows.items()), sep="\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", type=Path, nargs="+")
    parser.add_argument("--only", default="", help="only scripts whose path has this part")
    parser.add_argument("--verbose", action="store_true", help="print every command that differs")
    options = parser.parse_args()
    alike = [check(tree, options.only, options.verbose) for tree in options.trees]
    return 0 if all(alike) else 1


if __name__ == "__main__":
    sys.exit(main())
