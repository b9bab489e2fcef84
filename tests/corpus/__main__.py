"""Compares our reading of every script of a checkout with what real bash would start.

    python -m tests.corpus TREE... [--verbose] [--only PART]

Real bash runs each script in a jail that holds a copy of the checkout and no program: every command that is not a
builtin or a function is recorded, and succeeds. A command equals ours if some command of ours has the same words; words
that we call unknown may be anything. Where a condition is unknown we read both ways, and bash runs the script once for
each way, with the decisions of that way made for it. The exit status is 1 if any command differs.
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

from tests.corpus.comparing import Comparison, Ours, compare, is_launch, our_reading, reasons, together
from tests.corpus.deciding import Way, other_runs, runs, variables, ways, with_decisions
from tests.corpus.jail import jail, run
from tests.corpus.trees import copy_tree


def check(tree: Path, only: str, verbose: bool) -> bool:
    """Compare one tree and say what differs; whether nothing does."""
    with tempfile.TemporaryDirectory(prefix="corpus") as folder:
        root = Path(folder).resolve()
        paths = [path for path in copy_tree(tree, root) if only in str(path)]
        readings = [our_reading(root, path) for path in paths]
        with jail(root) as inside, ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            found = list(pool.map(lambda ours: _comparisons(inside, root, ours), readings))
    for comparison in (each for several in found for each in several):
        _print_differences(comparison, verbose)
    counts = Counter(reason for ours in readings for reason in reasons(ours.commands))
    print("unknown because of:", *(f"{reason} ({count})" for reason, count in counts.most_common(40)), sep="\n    ")
    _print_summary(tree.name, found, readings)
    return all(each.alike for several in found for each in several)


def _comparisons(inside: Path, root: Path, ours: Ours) -> list[Comparison]:
    """One script, on every way through it."""
    found = []
    for way in ways(ours.commands):
        made = runs(way, ours.commands, ours.likely)
        compared = together([_run(inside, root, ours, way, each) for each in made])
        found.append(_with_other_runs(inside, root, ours, compared, made[0]))
    return found


def _with_other_runs(inside: Path, root: Path, ours: Ours, compared: Comparison, made: Way) -> Comparison:
    """A way on which bash ended before commands of ours, run again with each decision turned round; then the same from
    the last run that came to some of them."""
    helped = True
    while compared.extra and helped:
        helped = False
        for other in other_runs(made, compared.way):
            again = together([compared, _run(inside, root, ours, compared.way, other)])
            if len(again.extra) < len(compared.extra):
                helped, made = True, other
            compared = again
            if not compared.extra:
                break
    return compared


def _run(inside: Path, root: Path, ours: Ours, way: Way, decisions: Way) -> Comparison:
    """One run of bash, with decisions made for it."""
    changed = ours.files if decisions else ()
    over = {str(root / each.source.path): with_decisions(each, decisions, ours.known) for each in changed}
    read = [script.source.text for script in ours.files]
    return compare(ours, run(inside, root, ours.path, read, over, variables(decisions), ours.lacked), way)


def _print_differences(result: Comparison, verbose: bool) -> None:
    if result.alike and not result.note:
        return
    print(f"{result.path}: {len(result.missing)} missing, {len(result.extra)} extra {result.note}")
    if verbose:
        for label, value in result.way.items():
            print(f"    on the way: {label} => {value}")
        for side, commands in (("bash", result.missing), ("ours", result.extra)):
            for words in commands[:40]:
                print(f"    {side}: {' '.join(words)[:400]!r}")


def _print_summary(name: str, found: Sequence[Sequence[Comparison]], readings: Sequence[Ours]) -> None:
    first = [several[0] for several in found]
    others = [each for several in found for each in several[1:]]
    started = [[word.value for word in command.words] for ours in readings for command in ours.commands]
    launches = [words for words in started if is_launch([word or "" for word in words])]
    rows = {
        "scripts": len(found),
        "launches": sum(each.launches for each in first),
        "launches different": sum(each.launches_missing for each in first),
        "commands equal": sum(each.equal + each.unknown for each in first),
        "commands equal, with unknown words": sum(each.unknown for each in first),
        "commands missing in ours": sum(len(each.missing) for each in first),
        "commands extra in ours": sum(len(each.extra) for each in first),
        "other ways": len(others),
        "commands equal on other ways": sum(each.equal + each.unknown for each in others),
        "commands missing on other ways": sum(len(each.missing) for each in others),
        "commands extra on other ways": sum(len(each.extra) for each in others),
        "scripts that bash does not end": sum(bool(each.note) for each in first),
        "scripts with nothing unknown": sum(not each.unknown for each in first),
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
