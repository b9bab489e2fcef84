"""Compares random programs with real bash.

    python -m tests.bash.fuzz_programs [--count 20000] [--seed 0] [--jobs 8]

Prints every program that bash runs otherwise than we read it; the exit status is 1 if there was one. Where the way that
is taken depends on what only a run can tell ("open"), every command of bash must be among those of our ways. Not
compared are programs with a syntax error (both must find one), programs that do not end, those that run a text which is
not known ("unread": our reading says where), those in which bash lets one of its inner marks out, and, of those that
take more steps than we read ("begun": our reading says where it stops), the rest. How many they were is said at the
end.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import traceback
from collections import Counter
from multiprocessing import Pool
from random import Random

from tests.bash.comparing import (
    Endless,
    first_difference,
    has_errors,
    is_begun,
    is_open,
    is_rejected,
    lost,
    ours,
    run,
    runs_unknown_text,
    same,
)
from tests.bash.programs import program

MEMORY = 1 << 31  # bytes that a process may take: reading needs a hundredth of it


def bound_memory() -> None:
    """Let reading that takes too much fail, before it takes the machine."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def judge(text: str, folder: str) -> tuple[str, str]:
    """What became of a program, in a word, and what is to be shown of it."""
    try:
        expected = run(text, folder, hurried=True)
    except Endless:
        return "endless", ""
    found = ours(text, folder)
    if same(found, expected):
        return "same", ""
    try:
        expected = run(text, folder)
    except Endless:
        return "endless", ""
    if same(found, expected):
        return "same", ""
    if expected.marked:
        return "marked", ""
    if runs_unknown_text(found):
        return "unread", ""
    if is_begun(found, expected):
        return "begun", ""
    missing = lost(found, expected) if is_open(found) else None
    if is_open(found) and missing is None:
        return "open", ""
    if is_rejected(text):
        return ("rejected", "") if has_errors(text) else ("different", f"{text}\nbash rejects it, we do not")
    if missing is not None:
        return "different", f"{text}\nours: on no way\nbash: {missing}"
    return "different", f"{text}\n{first_difference(found, expected)}"


def judge_seed(seed: int) -> tuple[int, str, str]:
    """A program, and what became of it."""
    text = program(Random(seed))
    try:
        with tempfile.TemporaryDirectory() as folder:
            return seed, *judge(text, folder)
    except Exception:  # our reading never fails
        return seed, "different", f"{text}\n{traceback.format_exc()}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first program")
    parser.add_argument("--jobs", type=int, default=4 * (os.cpu_count() or 1), help="processes that judge; most wait")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    last = options.seed - 1  # that differed
    longest = 0
    with Pool(options.jobs, bound_memory) as pool:
        seeds = range(options.seed, options.seed + options.count)
        for seed, verdict, shown in pool.imap(judge_seed, seeds, chunksize=20):
            counts[verdict] += 1
            if verdict == "different":
                last = seed
            longest = max(longest, seed - last)
            if shown:
                print(f"---- seed {seed}\n{shown}", flush=True)
    print(f"{longest} in a row without a difference")
    print(f"{options.count} programs: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    return int(counts["different"] > 0)


if __name__ == "__main__":
    sys.exit(main())
