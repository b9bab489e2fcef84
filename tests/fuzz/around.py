"""What is around scripts, spoilt: settings, comments to the linter, baselines, caches, names of commits, questions of
editors."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from lint import settings
from lint.cli.init import EXAMPLES
from lint.server.actions import actions, safe_edits
from lint.server.completion import complete
from lint.server.document import Document, Position
from lint.server.hover import hover
from lint.server.server import diagnostics, request_for
from tests.fuzz.accidents import HOSTILE, VALUES, mutated
from tests.fuzz.calling import call, wrong

SCRIPT = "run.sh"
CHECK = ("check", SCRIPT, "--no-shellcheck", "--jobs", "1")
AS_JSON = (*CHECK, "--no-cache", "--format", "json")
CHANGES = ("--fix", "--unsafe-fixes"), ("--add-ignore", "x"), ("--diff",)
PATHS = """[[paths]]\nmatch = ["examples/**", "*.sh"]\nrelease = "0.8.0"\nseverity = { hydra = "info" }\n"""
COPIES = """[copies]\nroot = "."\nrecipes = ["*.sh"]\n[[copies.places]]\nbranches = ["release/v*"]\nrelease = "0.9.0"
[[copies.places]]\nfolder = "old/0.8.0"\n[[copies.declared]]\nkey = "trainer.nnodes"\nreleases = ["0.8.0"]\nreason = "x"
"""
SETTINGS = "".join(f"{name} = {value}\n" for name, value in EXAMPLES.items() if name not in ("verl", "copies"))
COMMENTS = (
    *(b"ignore[unknown-key] -- x", b"ignore-file[SC2086, hydra] -- y", b"ignore[]", b"ignore[a", b"ignore[,,] --"),
    *(
        b"device=h100 release=0.9.1",
        b"model=Qwen3-8B nodes=2",
        b"nodes=1e9",
        b"expected-tokens=-1",
        b"copy-of=0",
        b"=",
        b"",
    ),
)
NAMES = (
    *("HEAD", "HEAD~99", "main", "release/v0.9.0", "HEAD:run.sh", "-x", "--help", "", ":", "::", "HEAD:", ":run.sh"),
    *("@{-1}", "HEAD^{tree}", "HEAD:/", "HEAD:../run.sh", "HEAD:\n", "\udcff", "a" * 5000, "refs/heads/main:run.sh"),
    *("HEAD:old", "HEAD:link.sh", "^HEAD", "HEAD..main", "HEAD@{1 day ago}", "HEAD:run.sh:run.sh", "~", "$(x)", "*"),
)


def problems(scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    """What goes wrong with one of them."""
    for name in ("recipe-lint.toml", "pyproject.toml", "base.json"):
        Path(name).unlink(missing_ok=True)
    Path(SCRIPT).write_bytes(dice.choice(scripts))
    settings.nearest.cache_clear()
    yield from dice.choice(KINDS)(scripts, dice)


def _settings(scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    parts = [SETTINGS, PATHS, COPIES]
    text = mutated(["\n".join(dice.sample(parts, dice.randint(1, 3))).encode()], dice)
    pyproject = dice.random() < 0.3
    name, heading = ("pyproject.toml", b"[tool.recipe-lint]\n") if pyproject else ("recipe-lint.toml", b"")
    Path(name).write_bytes(heading + text)
    for arguments in (AS_JSON, ("settings", SCRIPT), ("settings", SCRIPT, "--format", "json"), ("copies",)):
        settings.nearest.cache_clear()
        yield from wrong(arguments)
    yield from _asked(dice)


def _comments(scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    lines = dice.choice(scripts).split(b"\n")
    for _ in range(dice.randint(1, 8)):
        at = dice.randrange(len(lines))
        comment = b"# recipe-lint: " + dice.choice((*COMMENTS, dice.choice(HOSTILE), dice.choice(VALUES)))
        lines[at] = lines[at] + b"  " + comment if dice.random() < 0.5 else comment + b"\n" + lines[at]
    Path(SCRIPT).write_bytes(b"\n".join(lines))
    yield from wrong(AS_JSON, (0, 1))
    yield from wrong((*CHECK, "--no-cache", *dice.choice(CHANGES)), (0, 1))
    yield from _asked(dice)


def _baselines(scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    yield from wrong((*AS_JSON, "--write-baseline", "base.json"), (0,))
    Path("base.json").write_bytes(mutated([Path("base.json").read_bytes()], dice))
    yield from wrong((*AS_JSON, "--baseline", "base.json"))


def _caches(scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    """A cache that is damaged is only a miss."""
    shutil.rmtree(".recipe-lint-cache", ignore_errors=True)
    first = call((*CHECK, "--format", "json"))
    for file in Path(".recipe-lint-cache").rglob("*.json"):
        file.write_bytes(mutated([file.read_bytes()], dice))
    if call((*CHECK, "--format", "json")) != first:
        yield "check says something else with a damaged cache"


def _commits(scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    if not Path(".git").exists():
        _make_repository()
    one, other = dice.choice(NAMES), dice.choice(NAMES)
    ways = (
        (*AS_JSON, f"--changed={one}"),
        ("compare", "--", one, other),
        ("copies", "backport", "--to", "release/v0.9.0", "--", one),
        ("copies", "backport", SCRIPT, "--to", "release/v0.9.0", f"--base={other}"),
        ("copies", "backport", SCRIPT, f"--to={one}"),
    )
    yield from wrong(dice.choice(ways))


def _make_repository() -> None:
    Path("old").mkdir(exist_ok=True)
    Path("link.sh").symlink_to("/etc/passwd")
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    made = ("init", "-q", "-b", "main"), ("add", "."), (*who, "commit", "-q", "-m", "x"), ("branch", "release/v0.9.0")
    for words in made:
        subprocess.run(["git", *words], check=True, env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull})


def _asked(dice: random.Random) -> Iterator[str]:
    """What an editor asks about a place of the text, in any encoding."""
    text = Path(SCRIPT).read_bytes().decode("utf-8", "replace")
    document = Document(SCRIPT, text, request_for(SCRIPT)[0], dice.choice(("utf-8", "utf-16", "utf-32")))
    try:
        diagnostics(document)
        safe_edits(document)
        for _ in range(5):
            place = Position(dice.randrange(text.count("\n") + 5), dice.randrange(200))
            hover(document, place)
            complete(document, place)
            offset = document.offset(place)
            actions(document, offset, offset + dice.randrange(50))
    except Exception as error:
        yield f"editor: {type(error).__name__}: {error}"


KINDS: tuple[Callable[[Sequence[bytes], random.Random], Iterator[str]], ...] = (
    *(_settings, _settings, _comments, _comments, _baselines, _caches, _commits),
)
