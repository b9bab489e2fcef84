"""Writes what the tool computes into the recipes and their table: `python -m tests.examples.refresh`.

That is the expected memory in the head of each recipe, and the table of examples/README.md. A test compares both with
what the tool computes today.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from textwrap import TextWrapper
from typing import Any

from lint.bash.files import NoFiles
from lint.checking.examination import Request
from lint.checking.linter import understand
from lint.files.sources import Files
from lint.memory.reading import read_inputs
from lint.memory.report import launch_memory, to_plain
from lint.settings import ScriptSettings
from lint.subject.subject import Subject
from lint.text import Source

EXAMPLES = Path(__file__).parents[2] / "examples"
TABLE = EXAMPLES / "README.md"
GIB = 1 << 30
wrap = TextWrapper(107, break_on_hyphens=False).wrap
LABEL = re.compile(r"^# Memory:.*\n(?:#  .*\n)*", re.MULTILINE)
AFTER = re.compile(r"^# Software:.*\n(?:#  .*\n)*", re.MULTILINE)
MARKS = "<!-- recipes -->\n", "<!-- end -->\n"


@dataclass(frozen=True)
class Recipe:
    """One recipe, what it starts and the memory that it needs (as `recipe-lint memory --format json` gives it)."""

    path: Path
    subject: Subject
    memory: dict[str, Any]

    @property
    def peak(self) -> dict[str, Any]:
        """The phase that is expected to take most."""
        return max(self.memory["phases"], key=lambda phase: phase["expected_bytes"])


def read(path: Path) -> Recipe:
    """A recipe as the tool reads it, started by a user with a home folder."""
    name = str(path.relative_to(EXAMPLES.parent))
    given = ScriptSettings(environment={"HOME": "/home/user"})
    source = Source(name, path.read_text())
    (subject,) = understand(source, Request(ScriptSettings(), given), Files(NoFiles(), os.curdir)).subjects
    inputs = read_inputs(subject, subject.expected_tokens)
    return Recipe(path, subject, to_plain(launch_memory(name, 1, {}, None, None, inputs)))


# ------------------------------------------------------------------------------------------------------------ heads


def with_memory(recipe: Recipe) -> str:
    """The text of a recipe with its expected memory in the head."""
    device = recipe.subject.device
    assert device is not None
    sizes = [f"{phase['phase']} {gib(phase['expected_bytes'])}" for phase in recipe.memory["phases"]]
    limit, host = device.memory_bytes / GIB, gib(host_bytes(recipe))
    said = f"GiB expected of {limit:.1f} on each NPU: {', '.join(sizes)}; on each host: {host}"
    unbroken = re.sub(r"(?<=[a-z]) (?=\d+[,;])", "\N{NO-BREAK SPACE}", said)  # a phase and its size stay on one line
    first, *rest = (line.replace("\N{NO-BREAK SPACE}", " ") for line in wrap(unbroken))
    lines = "".join(f"# {label:<10} {line}\n" for label, line in [("Memory:", first), *(("", line) for line in rest)])
    text = LABEL.sub("", recipe.path.read_text(), count=1)
    place = AFTER.search(text)
    assert place is not None, f"{recipe.path} has no line '# Software:'"
    return text[: place.end()] + lines + text[place.end() :]


def host_bytes(recipe: Recipe) -> float:
    host = recipe.memory["host_bytes_per_node"]
    return float(host.get("total", sum(host.values())))


def gib(size: float) -> int:
    return round(size / GIB)


# ------------------------------------------------------------------------------------------------------------ table


def table(recipes: list[Recipe]) -> str:
    """The table of all recipes, in Markdown; copies for older releases stand beside the recipe they are of."""
    rows = [
        ["recipe", "algorithm", "model", "training", "rollout", "NPUs", "verl", "also for", "peak", "GiB per NPU"],
        ["---"] * 10,
    ]
    for recipe in recipes:
        if "release" not in recipe.path.relative_to(EXAMPLES).parts:
            rows.append(_row(recipe, recipes))
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _row(recipe: Recipe, recipes: list[Recipe]) -> list[str]:
    subject, cluster = recipe.subject, recipe.subject.cluster
    assert subject.model is not None
    assert cluster is not None
    assert subject.device is not None
    peak = recipe.peak
    share = f"{gib(peak['expected_bytes'])} of {subject.device.memory_bytes / GIB:.1f}"
    return [
        _link(recipe.path, recipe.path.name),
        recipe.path.parent.name.removesuffix("_trainer").upper(),
        subject.model.name,
        str(subject.value("actor_rollout_ref.actor.strategy")),
        str(subject.value("actor_rollout_ref.rollout.name")),
        f"{cluster.devices} ({cluster.nodes} x {cluster.devices_per_node} {subject.device.name})",
        subject.release,
        ", ".join(_link(copy.path, copy.subject.release) for copy in _copies(recipe, recipes)),
        peak["phase"],
        share,
    ]


def _copies(recipe: Recipe, recipes: list[Recipe]) -> list[Recipe]:
    name = recipe.path.relative_to(EXAMPLES)
    return [other for other in recipes if other.path != recipe.path and other.path.match(f"release/*/{name}")]


def _link(path: Path, text: str) -> str:
    return f"[{text}]({path.relative_to(EXAMPLES)})"


def with_table(recipes: list[Recipe]) -> str:
    """The README of the examples with the table between its marks."""
    before, rest = TABLE.read_text().split(MARKS[0])
    return f"{before}{MARKS[0]}{table(recipes)}{MARKS[1]}{rest.split(MARKS[1])[1]}"


if __name__ == "__main__":
    for file in sorted(EXAMPLES.glob("**/run_*.sh")):
        file.write_text(with_memory(read(file)))
    TABLE.write_text(with_table([read(file) for file in sorted(EXAMPLES.glob("**/run_*.sh"))]))
