"""The house is in order: one direction of dependencies, no cycles, files that say what they are and stay short.

Imports are read from the text of the modules. One inside a function counts as any other; one under `TYPE_CHECKING`
names a type and counts for the layers, but not as a cycle.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import lint
from lint import toml

ROOT = Path(__file__).parents[1]

LAYERS: tuple[tuple[str, ...], ...] = (
    # text, and what needs nothing else
    (
        "lint",
        "lint.frozen",
        "lint.likeness",
        "lint.packaged",
        "lint.packed",
        "lint.regular",
        "lint.text",
        "lint.toml",
        "lint.versions",
        "lint.findings",
        "lint.fixes.patch",
        "lint.facts.inventory",
    ),
    ("lint.files", "lint.output.terminal"),
    # reading bash
    ("lint.bash",),
    ("lint.fixes.fix", "lint.files.sources", "lint.suppression.directives"),
    # knowing verl
    ("lint.schema",),
    ("lint.facts",),
    ("lint.launch", "lint.callers"),
    # what a rule is, and which there are
    ("lint.rules.rule", "lint.rules.tables", "lint.rules.documentation"),
    ("lint.rules.registry", "lint.rules.catalogue", "lint.rules.scaffold"),
    # what holds for a script, and for a launch
    ("lint.settings",),
    ("lint.checking.record", "lint.checking.examination", "lint.checking.target", "lint.checking.made_models"),
    ("lint.subject",),
    # what is known of it
    ("lint.memory",),
    ("lint.rules",),
    # what it leads to
    ("lint.shellcheck", "lint.suppression", "lint.output"),
    ("lint.suppression.baseline", "lint.checking"),
    ("lint.memory.calibration", "lint.fixes"),
    # who asks
    ("lint.copies", "lint.server"),
    ("lint.cli",),
    ("lint.__main__",),
)
"""From the ground up. A module may import its own layer and those below; the longest name that fits it decides."""

LONGEST = 400
LONG: Mapping[str, str] = {
    "lint.bash.evaluator": "one class: what reading carries along, and the calls that tie its parts together",
    "lint.bash.syntax": "one class for each construct of bash's grammar",
}
"""Modules above that many lines, each with the reason."""


@dataclass(frozen=True, slots=True)
class Import:
    """One module of ours imports another; `at_start` unless it happens in a function or for a type checker only."""

    importer: str
    imported: str
    line: int
    at_start: bool


@cache
def modules() -> Mapping[str, Path]:
    """Every module of the package, by name."""
    found = {}
    for file in sorted((ROOT / "lint").rglob("*.py")):
        parts = file.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


@cache
def imports() -> tuple[Import, ...]:
    """Every import of one module of ours by another."""
    return tuple(
        found for name, file in modules().items() for found in _imports(name, ast.parse(file.read_text("utf-8")))
    )


def _imports(name: str, node: ast.AST, at_start: bool = True) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        names = []
        if isinstance(child, ast.Import):
            names = [alias.name for alias in child.names]
        elif isinstance(child, ast.ImportFrom) and child.module is not None:
            whole = [f"{child.module}.{alias.name}" for alias in child.names]
            names = [one if one in modules() else child.module for one in whole]
        for one in names:
            if one in modules() and one != name:
                yield Import(name, one, getattr(child, "lineno", 0), at_start)
        later = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) or (
            isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
        )
        yield from _imports(name, child, at_start and not later)


def layer(module: str) -> int:
    """The height of a module. Raises LookupError if no layer holds it."""
    fitting = [
        (len(prefix), height)
        for height, prefixes in enumerate(LAYERS)
        for prefix in prefixes
        if module == prefix or (prefix != "lint" and module.startswith(f"{prefix}."))
    ]
    if not fitting:
        raise LookupError(f"{module} stands in no layer: give it a place in LAYERS")
    return max(fitting)[1]


def test_every_module_stands_in_a_layer_and_every_layer_holds_one() -> None:
    for module in modules():
        layer(module)
    for prefix in (prefix for prefixes in LAYERS for prefix in prefixes):
        assert prefix in modules(), f"LAYERS names {prefix}, which does not exist"


def test_modules_import_from_their_own_layer_and_below() -> None:
    upwards = [
        f"{modules()[found.importer].relative_to(ROOT)}:{found.line}: {found.importer} imports {found.imported}"
        for found in imports()
        if layer(found.imported) > layer(found.importer)
    ]
    assert not upwards, "\n".join(upwards)


def test_no_module_needs_itself_to_be_imported() -> None:
    needs: dict[str, set[str]] = {}
    for found in imports():
        if found.at_start:
            needs.setdefault(found.importer, set()).add(found.imported)
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as cycle:
        pytest.fail(" -> ".join(cycle.args[1]))


def test_no_module_takes_a_private_name_of_another() -> None:
    taken = [
        f"{file.relative_to(ROOT)}:{node.lineno}: {alias.name} of {node.module}"
        for file in modules().values()
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name.startswith("_") and f"{node.module}.{alias.name}" not in modules()
    ]
    assert not taken, "\n".join(taken)


ABBREVIATIONS = re.compile(
    "attr|buf|cb|cfg|cmd|ctx|cur|decl|dest|dst|elem|err|evt|exc|fmt|fn|func|hdr|idx|impl|lhs|lst|misc|msg|nr|num|obj|opt|"
    "opts|param|pkg|pos|prev|proc|ptr|req|res|ret|rhs|sess|src|tbl|temp|tmp|tok|val|vals|var|vars|ver"
)


def test_names_are_whole_words() -> None:
    """As the glossary has it: a reader should not have to guess what a name is short for."""
    short = []
    for file in modules().values():
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            name = _defined(node)
            words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)
            if any(ABBREVIATIONS.fullmatch(word.lower()) for word in words):
                short.append(f"{file.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}: {name}")
    assert not short, "\n".join(short)


def test_nothing_is_defined_in_vain() -> None:
    """What a module defines at its top is named again: there if it is private, anywhere if not. What a decorator takes
    is used by that, and a lone test is reader enough of a public name."""
    texts = [file.read_text("utf-8") for room in ("lint", "tests", "docs") for file in (ROOT / room).rglob("*.py")]
    named = Counter(word for text in texts for word in re.findall(r"\w+", text))
    left = []
    for file in modules().values():
        text = file.read_text("utf-8")
        here = Counter(re.findall(r"\w+", text))
        for node in ast.parse(text).body:
            for name in _names_at_the_top(node):
                if not name.startswith("__") and (here if name.startswith("_") else named)[name] < 2:
                    left.append(f"{file.relative_to(ROOT)}:{node.lineno}: {name}")
    assert not left, "\n".join(left)


def _names_at_the_top(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        if not node.decorator_list or isinstance(node, ast.ClassDef):
            yield node.name
    elif isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from (each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name))


def _defined(node: ast.AST) -> str:
    """The name that a node defines, or nothing."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.name
    if isinstance(node, ast.arg):
        return node.arg
    return node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else ""


def test_every_module_says_what_it_is_in_its_first_line() -> None:
    for module, file in modules().items():
        documentation = ast.get_docstring(ast.parse(file.read_text("utf-8")))
        assert documentation, f"{module} has no docstring"
        assert re.search(r"[.:?]", documentation.partition("\n\n")[0]), f"{module}: the first paragraph is no sentence"


def test_every_folder_of_the_package_is_a_package() -> None:
    """With the test above: every folder says what it is. Folders of data are told of by the module that reads them."""
    for file in modules().values():
        assert (file.parent / "__init__.py").exists(), f"{file.parent}: no __init__.py"


def test_modules_are_short_or_say_why_not() -> None:
    lengths = {name: len(file.read_text("utf-8").splitlines()) for name, file in modules().items()}
    long = {name: length for name, length in lengths.items() if length > LONGEST}
    assert not long.keys() - LONG.keys(), f"above {LONGEST} lines without a reason in LONG: {long}"


def test_the_version_stands_in_one_place() -> None:
    version = re.compile(rf"(?<![\d.]){re.escape(lint.__version__)}(?![\d.])")
    texts = [*modules().values(), ROOT / "pyproject.toml", ROOT / "action.yml"]
    assert [file for file in texts if version.search(file.read_text("utf-8"))] == [ROOT / "lint/__init__.py"]


def test_everything_that_development_needs_is_pinned() -> None:
    project = toml.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = {_name(line) for line in (*project["dependencies"], *project["optional-dependencies"]["dev"])}
    pinned = (ROOT / "requirements-dev.txt").read_text("utf-8").splitlines()
    assert wanted <= {_name(line) for line in pinned if "==" in line}, "run `make pins`"


def _name(requirement: str) -> str:
    return re.split(r"[<>=;\[ ]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def test_changelog_and_readme_know_the_version() -> None:
    newest = re.search(r"^## (\S+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert newest is not None
    assert newest[1] in (lint.__version__, "Unreleased")
    tags = re.findall(r"recipe-lint@v([\d.]+)|rev: v([\d.]+)", (ROOT / "README.md").read_text("utf-8"))
    assert {one or other for one, other in tags} <= {lint.__version__}
