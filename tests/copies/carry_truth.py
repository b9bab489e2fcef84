"""Carries every recipe of a checkout over to other releases, and asks real bash and real Hydra what became of it.

    python -m tests.copies.carry_truth TREE WHEELS --to 0.8.0 0.9.0 [--verbose]

TREE is a checkout of verl, WHEELS a folder with `verl-<release>-py3-none-any.whl`. Each script below `examples` is
carried over; the result is started by real bash under each of its scenarios and composed by real Hydra with the config
files of the wheel. Whatever is carried over with nothing lost must compose; what composes must have, under every key
that the original writes, the value that the original has in its own tree. The exit status is 1 if one does not.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from lint.copies.backport import Backported, backport
from lint.copies.sides import Side, of_file
from lint.text import Source
from tests.copies.compare_truth import scenarios, work_tree
from tests.copies.witness import NotChecked, Tree, compose, differences, is_hydra, record, renamed
from tests.real_bash import ENVIRONMENT


@dataclass(frozen=True)
class Result:
    """What became of one script. `refused` and `changed` are what Hydra says of the carried script."""

    path: str
    lost: int
    refused: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    reason: str = ""  # why it is not checked

    @property
    def kind(self) -> str:
        if self.reason:
            return f"not checked: {self.reason}"
        if self.refused:
            return "something is lost, and Hydra refuses more" if self.lost else "nothing is lost, but Hydra refuses it"
        if self.changed:
            return "composes, with other values"
        return "something is lost, and the rest composes" if self.lost else "nothing is lost, and it composes"

    @property
    def wrong(self) -> bool:
        return bool(self.changed) or (bool(self.refused) and not self.lost)


def wheel_tree(wheel: Path, folder: Path) -> Tree:
    """The package of a wheel; scripts are written beside it."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if name.endswith((".yaml", ".py"))])
    for inside, _, _ in os.walk(folder):
        os.chmod(inside, 0o777)
    return Tree(folder)


def check(side: Side, carried: Backported, own: Tree, there: Tree) -> Result:
    """One script in its own tree, and what was carried over in the other."""
    path = side.source.path
    script = there.folder / path
    script.parent.mkdir(parents=True, exist_ok=True)
    for folder in (script.parent, *script.parent.relative_to(there.folder).parents):
        (there.folder / folder).chmod(0o777)
    script.write_bytes(Source(path, carried.text).encode())
    refused: dict[str, None] = {}
    changed: dict[str, None] = {}
    try:
        for scenario in dict.fromkeys(scenarios(side)):
            starts = [record(tree, path, scenario) for tree in (own, there)]
            if len(starts[0]) != len(starts[1]):
                raise NotChecked(f"bash starts {len(starts[0])} programs, and {len(starts[1])} after it")
            for before, after in zip(*starts, strict=True):
                if not is_hydra(own, before):
                    continue
                one, other = compose(own, before), compose(there, after)
                already = {word.lstrip("+~").partition("=")[0] for word in one.refused}
                for word in other.refused:
                    if word.lstrip("+~").partition("=")[0] not in already:
                        refused[word] = None
                one = replace(one, written=tuple(key for key in one.written if key not in already))
                names = renamed([*one.written, *other.written])
                kept = {names.get(key, key) for key in other.written}
                for key, values in differences(one, other, names).items():
                    if key in kept and key in {names.get(name, name) for name in one.written}:
                        changed[f"{key}: {values[0]} / {values[1]}"] = None
    except NotChecked as reason:
        return Result(path, len(carried.lost), reason=str(reason))
    return Result(path, len(carried.lost), tuple(refused), tuple(changed))


def scripts(tree: Path) -> Iterator[Side]:
    for path in sorted((tree / "examples").rglob("*.sh")):
        source = Source.decode(os.path.relpath(path), path.read_bytes())
        side = of_file(source, ENVIRONMENT)
        if any(side.launches.values()):
            yield replace(side, source=Source(path.relative_to(tree).as_posix(), source.text))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    parser.add_argument("wheels", type=Path)
    parser.add_argument("--to", nargs="+", default=["0.8.0", "0.9.0"], metavar="RELEASE")
    parser.add_argument("--verbose", action="store_true", help="print also what is lost or not checked")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        own = work_tree(options.tree.resolve(), Path(scratch, "tree-0"))
        sides = list(scripts(options.tree.resolve()))
        for number, release in enumerate(options.to, 1):
            wheel = options.wheels / f"verl-{release}-py3-none-any.whl"
            there = wheel_tree(wheel, Path(scratch, f"tree-{number}"))
            shutil.copytree(own.folder / "examples", there.folder / "examples", dirs_exist_ok=True)
            results = [check(side, backport(side, release), own, there) for side in sides]
            for result in results:
                if result.wrong or (options.verbose and (result.refused or result.reason)):
                    print(f"{result.path} to {release}: {result.kind}")
                    print("".join(f"    {said}\n" for said in (*result.refused, *result.changed)), end="")
            wrong += sum(result.wrong for result in results)
            print(f"from {options.tree} to {release}: {len(results)} scripts")
            for kind, count in Counter(result.kind for result in results).most_common():
                print(f"  {count} {kind}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
