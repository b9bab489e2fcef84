"""Compares random programs with real bash.

    python -m tests.bash.fuzz_programs [--count 20000] [--seed 0]

Prints every program that bash runs otherwise than we read it; the exit status is 1 if there was one.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from random import Random

from tests.bash.programs import program
from tests.bash.test_programs import ours, run, same


def difference(text: str, folder: str) -> str | None:
    """What bash and we say of a program, if that differs."""
    try:
        expected = run(text, folder)
    except subprocess.TimeoutExpired:
        return None
    found = ours(text)
    if same(found, expected):
        return None
    shown = [[word.shown for word in words] for words in found or ()]
    return f"{text}\nours: {shown}\nbash: {expected}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first program")
    options = parser.parse_args()
    differences = unknown = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            text = program(Random(seed))
            unknown += ours(text) is None
            found = difference(text, folder)
            if found is not None:
                differences += 1
                print(f"---- seed {seed}\n{found}", flush=True)
    print(f"{options.count} programs, {differences} differ, {unknown} depend on something unknown")
    return int(differences > 0)


if __name__ == "__main__":
    sys.exit(main())
