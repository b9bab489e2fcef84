"""What is around scripts, spoilt: settings, comments to the linter, baselines, caches, names of commits, workflows,
requirements, files that are none, other runs at the same time, questions of editors."""

from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from lint import settings
from lint.checking.remembered import forget
from lint.cli.init import EXAMPLES
from lint.server.actions import actions, safe_edits
from lint.server.completion import complete
from lint.server.document import Document, Position
from lint.server.hover import hover
from lint.server.protocol import diagnostics
from lint.server.server import request_for
from tests.fuzz import disks
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
WORKFLOW = """on: {push: {branches: [main]}}
env: {NNODES: 2, GPUS: "${{ vars.GPUS || 8 }}"}
defaults: {run: {shell: bash}}
jobs:
  train:
    runs-on: [self-hosted, "${{ matrix.runner }}"]
    strategy:
      matrix:
        runner: [L20x8, linux-aarch64-a3-16]
        model: [Qwen3-8B, Qwen3-32B]
        include: [{runner: L20x8, extra: actor_rollout_ref.rollout.n=4}]
        exclude: [{model: Qwen3-32B, runner: L20x8}]
    container: {image: verl, env: {DEVICE: npu}}
    steps:
      - uses: actions/checkout@v4
      - run: echo "MODEL=${{ matrix.model }}" >>"$GITHUB_ENV"
      - name: ${{ format('{0} {1}', matrix.model, github.sha) }}
        if: ${{ !contains(matrix.model, '32B') && always() }}
        env: {TP: 4}
        run: |
          export SIZE=$((GPUS / 2))
          for n in 1 2; do bash run.sh trainer.nnodes=$n ${{ matrix.extra }} "$@"; done
      - {run: "bash ./run.sh a.b=1 | tee log", working-directory: ., shell: "bash -e {0}"}
"""
STATED = (
    ("requirements.txt", "-r other.txt\n-c pins.txt\nverl[vllm]>=0.7,<0.9 ; python_version > '3'\n"),
    ("other.txt", "-r requirements.txt\nverl @ git+https://github.com/volcengine/verl@v0.8.0\n"),
    ("uv.lock", '[[package]]\nname = "verl"\nversion = "0.8.0"\nsource = { git = "https://x/verl?rev=1#2" }\n'),
    ("Pipfile", '[packages]\nverl = {version = "^0.8", extras = ["vllm"]}\n'),
    ("pyproject.toml", '[tool.poetry.dependencies]\nverl = "^0.8.0"\n[tool.uv.sources.verl]\ngit = "x/verl"\n'),
)
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
    forget()
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


def _workflows(scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    folder = Path(".github", "workflows")
    folder.mkdir(parents=True, exist_ok=True)
    Path(".git").mkdir(exist_ok=True)
    for name in dice.sample(("a.yml", "b.yaml"), dice.randint(1, 2)):
        (folder / name).write_bytes(mutated([WORKFLOW.encode()], dice))
    forget()
    try:
        yield from wrong(AS_JSON, (0, 1))
    finally:
        shutil.rmtree(".github")
        if not Path(".git", "HEAD").exists():
            shutil.rmtree(".git")
        forget()


def _requirements(scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    new = not Path(".git").exists()
    Path(".git").mkdir(exist_ok=True)
    chosen = dice.sample(STATED, dice.randint(1, 3))
    for name, text in chosen:
        Path(name).write_bytes(mutated([text.encode()], dice))
    forget()
    try:
        yield from wrong(AS_JSON, (0, 1, 2))
    finally:
        for name, _ in chosen:
            Path(name).unlink()
        if new:
            shutil.rmtree(".git")
        forget()


def _places(scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    """Names that are no files, files that are no scripts, and scripts under names that nobody can print."""
    top = Path("odd")
    top.mkdir()
    try:
        for number in range(dice.randint(1, 6)):
            dice.choice(PLACES)(top / f"{number}.sh", dice.choice(scripts))
        named = (*map(str, sorted(top.iterdir())), "/dev/null", "/dev/zero", "odd/missing.sh", "", "odd")
        some = dice.sample(named, min(len(named), dice.randint(1, 4)))
        for arguments in (("check", *some), ("show", *some[:1]), ("check", "odd", "--diff"), ("check", "--fix", *some)):
            quiet = ("--no-shellcheck", "--jobs", dice.choice("12")) if arguments[0] == "check" else ()
            yield from wrong((*arguments, *quiet))
    finally:
        os.chmod(top, 0o700)
        shutil.rmtree(top)


def _loop(path: Path, script: bytes) -> None:
    path.symlink_to(path.name)


def _to_above(path: Path, script: bytes) -> None:
    path.symlink_to("..")


def _to_nothing(path: Path, script: bytes) -> None:
    path.symlink_to("nowhere")


def _pipe(path: Path, script: bytes) -> None:
    os.mkfifo(path)


def _socket(path: Path, script: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


def _folder(path: Path, script: bytes) -> None:
    (path / "b").mkdir(parents=True)
    (path / "b" / "c.sh").write_bytes(script)


def _unreadable(path: Path, script: bytes) -> None:
    path.write_bytes(script)
    path.chmod(0)


def _no_name(path: Path, script: bytes) -> None:
    Path(os.fsdecode(os.fsencode(path.parent) + b"/\xff\n\x1b[31m'" + path.name.encode())).write_bytes(script)


def _sparse(path: Path, script: bytes) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 32)


def _many(path: Path, script: bytes) -> None:
    path.mkdir()
    for number in range(300):
        (path / f"{number}.txt").touch()


def _script(path: Path, script: bytes) -> None:
    path.write_bytes(script)


PLACES: tuple[Callable[[Path, bytes], None], ...] = (
    *(_loop, _to_above, _to_nothing, _pipe, _socket, _folder, _unreadable, _no_name, _sparse, _many, _script),
)


def _together(scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    """Runs at the same time share a cache, and none of them says anything else than it says alone."""
    alone = call((*CHECK, "--no-cache", "--format", "json"))
    shutil.rmtree(".recipe-lint-cache", ignore_errors=True)
    command = [sys.executable, "-m", "lint", *CHECK, "--format", "json"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) for _ in range(3)]
    if any((run.wait(), out) != alone for run in runs for out in [run.communicate(timeout=120)[0]]):
        yield "check says something else while others run"


def _asked(dice: random.Random) -> Iterator[str]:
    """What an editor asks about a place of the text, in any encoding."""
    text = Path(SCRIPT).read_bytes().decode("utf-8", "replace")
    document = Document(SCRIPT, text, request_for(SCRIPT)[0], dice.choice(("utf-8", "utf-16", "utf-32")))
    try:
        diagnostics(document, document.report)
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
    *(_workflows, _workflows, _requirements, _places, _places, _together, disks.problems, disks.problems),
)
