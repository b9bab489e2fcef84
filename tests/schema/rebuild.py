"""Builds the schemas that come with the tool again, from the wheels of the package index: `make schemas`.

A release that is new to `RELEASES` gets its file; every other one must come out byte for byte as it is committed.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from lint.schema.build import build
from lint.schema.source_tree import open_tree
from lint.schema.store import dump
from lint.schema.verify import cases, differences

RELEASES = ("0.6.1", "0.7.1", "0.8.0", "0.9.0", "0.9.1")
DATA = Path(__file__).parents[2] / "lint" / "schema" / "data"


def main(releases: tuple[str, ...]) -> int:
    """Rebuild releases; the exit status is 1 if one differs from its file, or from what real Hydra composes."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for release in releases:
            wheel = download(release, Path(folder))
            tree = open_tree(wheel)
            schema = build(tree)
            found = list(differences(schema, tree))
            for difference in found[:5]:
                print(f"  {difference.case.title}: {difference.key}: {difference.ours!r} != {difference.theirs!r}")
            text = dump(schema)
            file = DATA / f"verl-{release}.json"
            new = not file.exists()
            if new and not found:
                file.write_text(text, encoding="utf-8")
            same = not new and file.read_text("utf-8") == text
            state = "new" if new else "the same as committed" if same else "DIFFERS from the committed file"
            print(f"{release}: {state}; {len(list(cases(schema)))} compositions, {len(found)} differ from Hydra's")
            wrong += bool(found) or not (new or same)
    return 1 if wrong else 0


def download(release: str, folder: Path) -> Path:
    """The wheel of a release, from the package index."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    subprocess.run([*command, "--dest", str(folder), f"verl=={release}"], check=True)
    return next(folder.glob(f"verl-{release}-*.whl"))


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:]) or RELEASES))
