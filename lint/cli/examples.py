"""Calls of each subcommand as its help, the manual and the documentation show them, each with what it does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Example(NamedTuple):
    """A call, without the name of the program, and what it does."""

    arguments: str
    meaning: str


EXAMPLES: Mapping[str, tuple[Example, ...]] = {
    "check": (
        Example("check", "every script below the current folder"),
        Example("check run.sh --release 0.9.1 --device ascend-a3", "one script, for that release and device"),
        Example("check run.sh --env NNODES=8", "as if it were started with NNODES=8"),
        Example("check --select memory,hydra --min-severity warning examples", "some rules, without remarks"),
        Example("check --diff run.sh", "what --fix would change, as a patch"),
        Example("check --changed origin/main...", "only scripts that this branch changes"),
        Example("check --add-ignore 'known before the move' old", "keep what is there, and see only what is new"),
        Example("check --format sarif --output-file lint.sarif", "a report for code scanning"),
    ),
    "show": (
        Example("show run.sh", "every value that reaches the trainer, and where it is decided"),
        Example("show run.sh --commands --env DEVICE=npu", "every command that bash would start, as JSON"),
    ),
    "memory": (
        Example("memory run.sh", "what each phase takes on a device"),
        Example("memory run.sh --tp 8 --util 0.6", "the same with other sizes"),
        Example("memory run.sh --format html", "a page with pictures"),
    ),
    "compare": (
        Example("compare a.sh b.sh", "what two scripts start differently"),
        Example("compare main:run.sh release/v0.9.0:run.sh", "a script on two branches, without a checkout"),
    ),
    "copies": (
        Example("copies", "every recipe with every copy of it that the settings name"),
        Example("copies --history --format markdown", "which side changed, by which commits, for a pull request"),
    ),
    "copies backport": (
        Example("copies backport run.sh --to release/v0.8.0 --patch", "the copy for a release branch, as a patch"),
    ),
    "new": (Example("new examples/run.sh mine.sh --model Qwen3-14B --nnodes 1", "a recipe for another model"),),
    "init": (Example("init", "write recipe-lint.toml, with every setting explained"),),
    "rules": (
        Example("rules", "every rule in one line"),
        Example("rules memory --format json", "one group, for programs"),
    ),
    "explain": (Example("explain device-memory SC2086", "the documentation of rules"),),
    "schema": (Example("schema list", "the releases of verl that are known"),),
    "schema list": (Example("schema list", "the releases of verl that are known, and what they were read from"),),
    "schema build": (Example("schema build ~/verl --output schema.json", "the schema of a checkout"),),
    "settings": (
        Example("settings run.sh", "what holds for a script, and which file sets it"),
        Example("settings run.sh --format json", "the same, for programs"),
    ),
    "server": (Example("server", "what an editor starts"),),
}


def epilog(name: str) -> str | None:
    """The examples of a subcommand as the end of its help; `\\b` keeps its lines as they are."""
    if name not in EXAMPLES:
        return None
    lines = [f"  recipe-lint {example.arguments}\n      {example.meaning}" for example in EXAMPLES[name]]
    return "\b\n" + "\n".join(["Examples:", *lines])
