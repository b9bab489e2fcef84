"""Compares our answer about every recipe and its copies with what real bash and real Hydra make of them.

    python -m tests.copies.compare_truth TREE --branches 'release/v0.8.0' 'release/v0.9.0' [--verbose]

TREE is a checkout of verl whose repository has the branches. Each script is started by real bash at the top of its own
tree (with no program on PATH, see `recording`), once under each scenario that either side knows; what it passes to
the trainer and exports is recorded, and composed by real Hydra with the config files of its own tree. Every key that
one of the two sides writes is then looked up in both composed configs.

A pair agrees if exactly the keys that differ there are those that `recipe-lint copies` names, with the same values.
What we name only on a way that bash did not take (a test that nobody can decide from the text) is counted apart. The
exit status is 1 if a pair disagrees.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lint.copies.compare import Difference, Value, compare
from lint.copies.git import Repository
from lint.copies.places import Copies, Place
from lint.copies.sides import Scenario, Side
from lint.copies.survey import Copy, survey
from tests.copies.witness import (
    ABSENT,
    NotChecked,
    Refused,
    Tree,
    compose,
    differences,
    is_hydra,
    of_environments,
    record,
    renamed,
)
from tests.corpus.trees import copy_tree
from tests.real_bash import ENVIRONMENT

# ------------------------------------------------------------------------------------------------------------ pairs


@dataclass(frozen=True)
class Verdict:
    """One pair: what only the witness names, what only we name for certain, and what we name on another way."""

    name: str
    missed: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    other_way: tuple[str, ...] = ()
    agreed: int = 0
    reason: str = ""  # why it is not checked


def check(pair: Copy, trees: tuple[Tree, Tree], paths: tuple[str, str]) -> Verdict:
    """One recipe and its copy, under every scenario of either."""
    assert pair.recipe is not None
    assert pair.copy is not None
    theirs: dict[str, list[tuple[object, object]]] = {}
    try:
        for scenario in dict.fromkeys([*scenarios(pair.recipe), *scenarios(pair.copy)]):
            for key, values in _witnessed(trees, paths, scenario).items():
                theirs.setdefault(key, []).append(values)
    except Refused as reason:
        refused = [f"refused: {problem.message}" for problem in pair.refused]
        return Verdict(pair.label, agreed=1) if refused else Verdict(pair.label, missed=(str(reason),))
    except NotChecked as reason:
        return Verdict(pair.label, reason=str(reason))
    refused_keys = {problem.key for problem in pair.refused}
    ours: dict[str, list[Difference]] = {}
    for difference in compare(pair.recipe, pair.copy):
        ours.setdefault(difference.key, []).append(difference)
    missed = [f"{key}: {values}" for key, values in theirs.items() if key not in ours]
    extra: list[str] = []
    other_way: list[str] = []
    for key, found in ours.items():
        for difference in found:
            said = f"{key}: {_shown(difference.a)} / {_shown(difference.b)}"
            if key in theirs and any(_same(difference, values) for values in theirs[key]):
                continue
            if key in refused_keys:  # it is written, and Hydra does not take it: that is reported beside it
                continue
            (other_way if _is_fork(difference.scenario) else extra).append(said)
    return Verdict(pair.label, tuple(missed), tuple(extra), tuple(other_way), len(theirs) - len(missed))


def scenarios(side: Side) -> Iterator[Scenario]:
    """The environments to ask about: each assignment of toggles, and each answer of a probe to a variable."""
    for scenario, launches in side.launches.items():
        yield scenario
        for started in launches:
            answered = {name: value for name, value in started.launch.command.scenario.items() if name.isidentifier()}
            yield frozenset({**dict(scenario), **answered}.items())


def _witnessed(
    trees: tuple[Tree, Tree], paths: tuple[str, str], scenario: Scenario
) -> dict[str, tuple[object, object]]:
    starts = [record(tree, path, scenario) for tree, path in zip(trees, paths, strict=True)]
    if not all(starts):
        if scenario or not any(starts):
            return {}
        raise NotChecked(f"bash starts no trainer in {'the copy' if starts[0] else 'the recipe'}")
    if len(starts[0]) != len(starts[1]):
        raise NotChecked(f"bash starts {len(starts[0])} and {len(starts[1])} programs")
    found: dict[str, tuple[object, object]] = {}
    for pair in zip(*starts, strict=True):
        if not any(is_hydra(tree, start) for tree, start in zip(trees, pair, strict=True)):
            if pair[0].words != pair[1].words:
                raise NotChecked(f"{pair[0].program} is not started by Hydra")
            continue
        if pair[0].program != pair[1].program:
            found.update({pair[0].program: (True, ABSENT), pair[1].program: (ABSENT, True)})
            continue
        a, b = (compose(tree, start) for tree, start in zip(trees, pair, strict=True))
        found.update(differences(a, b, renamed([*a.written, *b.written])))
        found.update(of_environments(pair[0].environment, pair[1].environment))
    return found


def _shown(value: Value | None) -> str:
    return ABSENT if value is None else value.shown


def _is_fork(scenario: Mapping[str, str]) -> bool:
    return any(name.startswith("line ") for name in scenario)


def _same(difference: Difference, values: tuple[object, object]) -> bool:
    """Whether both have the same values; what we say only a run can tell may be anything."""
    for ours, theirs in zip((difference.a, difference.b), values, strict=True):
        if ours is None:
            if theirs not in (None, ABSENT):
                return False
        elif not any(sign in str(ours.comparable) for sign in ("<unknown", "${")) and str(ours.comparable) != str(
            theirs
        ):
            return False
    return True


# ----------------------------------------------------------------------------------------------------------- trees


def work_tree(top: Path, folder: Path) -> Tree:
    """The scripts and the package of a checkout."""
    copy_tree(top, folder)
    for pattern in ("verl/**/*.yaml", "verl/**/*.py", "examples/**/*.py", "examples/**/*.yaml"):
        for path in top.glob(pattern):
            copied = folder / path.relative_to(top)
            copied.parent.mkdir(parents=True, exist_ok=True)
            copied.write_bytes(path.read_bytes())
    return Tree(folder)


def of_branch(repository: Repository, commit: str, scratch: Path, folder: Path) -> Tree:
    """The same of a commit."""
    archive = subprocess.run(
        ["git", "archive", "--format=tar", commit, "verl", "examples"],
        cwd=repository.top,
        stdout=subprocess.PIPE,
        check=True,
    )
    scratch.mkdir()
    subprocess.run(["tar", "-x", "-C", str(scratch)], input=archive.stdout, check=True)
    return work_tree(scratch, folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--branches", nargs="+", default=["release/v0.8.0", "release/v0.9.0"])
    parser.add_argument("--verbose", action="store_true", help="print each pair that is not checked, and why")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    top = options.tree.resolve()
    repository = Repository.at(top)
    copies = Copies(top, None, "examples", ("**/*.sh",), (Place(tuple(options.branches), None, "examples", None),), ())
    pairs = [pair for pair in survey(copies, ENVIRONMENT).copies if pair.recipe is not None and pair.copy is not None]
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        recipes = work_tree(top, Path(scratch, "tree-0"))
        branches: dict[str, Tree] = {}
        for number, branch in enumerate(dict.fromkeys(pair.label.partition(":")[0] for pair in pairs), 1):
            place = Path(scratch, f"tree-{number}")
            branches[branch] = of_branch(repository, repository.commit(branch), Path(scratch, f"all-{number}"), place)
        verdicts = []
        for pair in pairs:
            branch, _, path = pair.label.partition(":")
            verdicts.append(check(pair, (recipes, branches[branch]), (f"examples/{pair.name}", path)))
    for verdict in verdicts:
        if verdict.missed or verdict.extra:
            print(verdict.name)
            print("".join(f"    only bash and Hydra: {each}\n" for each in verdict.missed), end="")
            print("".join(f"    only we: {each}\n" for each in verdict.extra), end="")
        elif verdict.reason and options.verbose:
            print(f"{verdict.name}: not checked: {verdict.reason}")
    return _summary(verdicts)


def _summary(verdicts: Sequence[Verdict]) -> int:
    unchecked = Counter(verdict.reason for verdict in verdicts if verdict.reason)
    wrong = [verdict for verdict in verdicts if verdict.missed or verdict.extra]
    print(f"{len(verdicts)} pairs, {len(verdicts) - unchecked.total()} checked, {len(wrong)} of them disagree")
    print(f"  keys that differ, for us and for bash and Hydra: {sum(verdict.agreed for verdict in verdicts)}")
    print(f"  only on a way that bash did not take: {sum(len(verdict.other_way) for verdict in verdicts)}")
    for reason, count in unchecked.most_common():
        print(f"  not checked: {count} because {reason}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
