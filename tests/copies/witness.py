"""What real bash and real Hydra make of the trainers that a script starts, and where two of these differ.

Each script is started by real bash at the top of its own tree (see `recording`); what it passes to the trainer and
exports is recorded, and composed by real Hydra with the config files of its own tree.
"""

from __future__ import annotations

import ast
import copy
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hydra import compose as hydra_compose
from hydra import initialize_config_dir
from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import HydraException
from omegaconf import OmegaConf, open_dict
from omegaconf.errors import OmegaConfBaseException

from lint.copies.sides import Scenario
from lint.facts.renamed_keys import key_changes
from tests.copies.recording import RECORDER, TIMEOUT, run_recorded

ABSENT = "(no such key)"
ACTOR = "actor@actor_rollout_ref.actor"  # the group whose option tells the engine, however that is chosen
NOISE = re.compile(r"^(CORPUS_\w+|BASH_ENV|PATH|PWD|OLDPWD|SHLVL|_|BASH_FUNC_.*)$")
ENVIRONMENT_RECORDER = r"""
__record() {
    local IFS=$'\x1f'
    { printf '%s\x1e' "$*"; /usr/bin/env -0; printf '\x1d'; } >>"$CORPUS_RECORD/$BASHPID"
}
"""
MODULE = re.compile(r"(verl|recipe|examples)(\.\w+)+")
MISSING = re.compile(r"line \d+: (\w+): ")
ARGUMENTS = ("given_1", "given_2", "given_3")


@dataclass(frozen=True)
class Tree:
    """One commit: its scripts and its config files, in a folder of its own."""

    folder: Path
    recordings: dict[tuple[str, Scenario], list[Start]] = field(default_factory=dict, compare=False)
    composed: dict[tuple[str, str, tuple[str, ...]], Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class Start:
    """A trainer that bash starts: its module or file, the words behind, what is exported."""

    program: str
    words: tuple[str, ...]
    environment: Mapping[str, str]


@dataclass(frozen=True)
class Composed:
    """What Hydra makes of a start; `refused` are the overrides that it does not take."""

    written: tuple[str, ...]
    groups: tuple[str, ...]
    config: Any
    choices: Mapping[str, object]
    refused: tuple[str, ...]


class NotChecked(Exception):
    """The reason why a pair cannot be checked."""


class Refused(NotChecked):
    """Hydra composes one of the two not at all."""


# ------------------------------------------------------------------------------------------------------------ bash


def record(tree: Tree, path: str, scenario: Scenario) -> list[Start]:
    """The trainers that bash starts under a scenario. What a script demands from its caller is given a name."""
    known = tree.recordings.get((path, scenario))
    if known is None:
        known = tree.recordings[path, scenario] = list(_record(tree.folder, path, dict(scenario)))
    return known


def _record(folder: Path, path: str, scenario: Mapping[str, str]) -> Iterator[Start]:
    for count in range(len(ARGUMENTS) + 1):
        given = dict(scenario)
        for _ in range(8):
            data, errors = _run(folder, path, ARGUMENTS[:count], given)
            demanded = {name for name in MISSING.findall(errors) if name not in given and not name.isdecimal()}
            found = list(_starts(data, folder))
            if found or not demanded:
                break
            given.update({name: f"given_{name}" for name in demanded})
        if found:
            yield from found
            return


def _run(folder: Path, path: str, arguments: Sequence[str], scenario: Mapping[str, str]) -> tuple[str, str]:
    recorded = run_recorded(folder, [path, *arguments], scenario, RECORDER + ENVIRONMENT_RECORDER)
    if not recorded.ended:
        raise NotChecked(f"bash did not end in {TIMEOUT} s")
    return recorded.data, recorded.errors


def _starts(data: str, folder: Path) -> Iterator[Start]:
    for entry in data.replace(str(folder), "<top>").split("\x1d"):
        argv, _, exported = entry.partition("\x1e")
        words = argv.split("\x1f")
        place = next((index for index, word in enumerate(words) if _is_trainer(words, index, word)), None)
        if place is not None:
            pairs = (line.partition("=") for line in exported.split("\0") if line)
            environment = {
                name: value for name, _, value in pairs if not NOISE.match(name) and value != f"given_{name}"
            }
            yield Start(words[place], tuple(words[place + 1 :]), environment)


def _is_trainer(words: Sequence[str], index: int, word: str) -> bool:
    if MODULE.fullmatch(word) and words[index - 1] == "-m":
        return True
    return bool(re.search(r"\w\.py$", word)) and "=" not in word and index > 0


# ----------------------------------------------------------------------------------------------------------- Hydra


def compose(tree: Tree, start: Start) -> Composed:
    """Compose a start with the config files of its tree, override by override, by Hydra's own code."""
    folder, name = primary(tree.folder, start)
    parser = OverridesParser.create()
    parsed, refused = [], []
    for word in start.words:
        if "=" in word.partition(" ")[0] and not word.startswith("-"):
            try:
                parsed.append(parser.parse_override(word))
            except HydraException:
                refused.append(word)
    groups = [override for override in parsed if (folder / override.key_or_group).is_dir()]
    keys = [each for each in parsed if each not in groups and not each.key_or_group.startswith("hydra.")]
    base, choices = _base(tree, folder, name, tuple(str(override.input_line) for override in groups))
    config = copy.deepcopy(base)
    for override in keys:
        try:
            ConfigLoaderImpl._apply_overrides_to_config([override], config)
        except HydraException:
            refused.append(str(override.input_line))
            if (
                override.is_add()
            ):  # it exists already: what is meant is clear, and Hydra names the next mistake only then
                forced = parser.parse_override(f"+{override.input_line}")
                ConfigLoaderImpl._apply_overrides_to_config([forced], config)
    written = dict.fromkeys(str(override.input_line).lstrip("+~").partition("=")[0] for override in keys)
    chosen = dict.fromkeys(override.get_key_element().lstrip("+~") for override in groups)
    return Composed(tuple(written), tuple(chosen), config, choices, tuple(refused))


def primary(top: Path, start: Start) -> tuple[Path, str]:
    """The config folder and the name of the primary config of a program. Raises `NotChecked`."""
    path = start.program if start.program.endswith(".py") else f"{start.program.replace('.', '/')}.py"
    file = top / path.replace("<top>/", "")
    if not file.is_file():
        raise NotChecked(f"{start.program} is not in that tree")
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "hydra.main":
            given = {each.arg: ast.literal_eval(each.value) for each in node.keywords}
            options = _options(start.words)
            folder = options.get("config-path") or options.get("config-dir") or given["config_path"]
            name = options.get("config-name") or given["config_name"]
            return (file.parent / folder.replace("<top>", str(top))).resolve(), name.removesuffix(".yaml")
    raise NotChecked(f"{start.program} is not started by Hydra")


def is_hydra(tree: Tree, start: Start) -> bool:
    try:
        primary(tree.folder, start)
    except NotChecked as reason:
        return "not started by Hydra" not in str(reason)
    return True


def _options(words: Sequence[str]) -> dict[str, str]:
    found = {}
    for word, following in zip(words, [*words[1:], ""], strict=True):
        name, equals, value = word.partition("=")
        if name in ("--config-name", "--config-path", "--config-dir"):
            found[name[2:]] = value if equals else following
    return found


def _base(tree: Tree, folder: Path, name: str, groups: tuple[str, ...]) -> tuple[Any, Mapping[str, Any]]:
    key = (str(folder), name, groups)
    if key not in tree.composed:
        GlobalHydra.instance().clear()
        try:
            # `hydra.searchpath` of verl's own configs is relative to the top of the tree
            with chdir(tree.folder), initialize_config_dir(config_dir=str(folder), version_base=None):
                config = hydra_compose(config_name=name, overrides=list(groups), return_hydra_config=True)
        except Exception as error:
            raise Refused(f"Hydra refuses {name} with {list(groups)}: {str(error).splitlines()[0]}") from None
        choices = OmegaConf.to_container(config.hydra.runtime.choices)
        with open_dict(config):
            del config["hydra"]
        tree.composed[key] = config, choices
    composed: tuple[Any, Mapping[str, Any]] = tree.composed[key]
    return composed


@contextmanager
def chdir(folder: Path) -> Iterator[None]:
    """`contextlib.chdir` came with 3.11."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


# ------------------------------------------------------------------------------------------------------ differences


def differences(a: Composed, b: Composed, names: Mapping[str, str]) -> dict[str, tuple[object, object]]:
    """The keys that one side writes and that have other values on the other. `names`: old name of a key -> new name."""
    found = {}
    old = {new: before for before, new in names.items()}
    for written in dict.fromkeys([*a.written, *b.written]):
        key = names.get(written, written)
        one, other = (value_at(side.config, *_names(side, key, old.get(key, key))) for side in (a, b))
        if not equal(one, other):
            found[key] = (one, other)
    for group in dict.fromkeys([*a.groups, *b.groups]):
        one, other = a.choices.get(group), b.choices.get(group)
        if one != other and not (None in (one, other) and a.choices.get(ACTOR) == b.choices.get(ACTOR)):
            found[group] = (one, other)
    return found


def _names(side: Composed, *names: str) -> list[str]:
    """The names of a key, the one that the side writes first: a release may have both."""
    return sorted(names, key=lambda name: name not in side.written)


def value_at(config: Any, *names: str) -> object:
    """The value that a config has under one of the names, interpolations resolved where that is possible."""
    for name in names:
        try:
            value = OmegaConf.select(config, name, default=ABSENT)
        except OmegaConfBaseException:  # an interpolation of a key that is not there
            return OmegaConf.select(OmegaConf.create(OmegaConf.to_container(config)), name, throw_on_missing=False)
        if value != ABSENT:
            return OmegaConf.to_container(value) if OmegaConf.is_config(value) else value
    return ABSENT


def equal(one: object, other: object) -> bool:
    """Null asks for nothing where the other side has no such key."""
    if ABSENT in (one, other):
        return {str(one), str(other)} <= {ABSENT, "None"}
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def renamed(keys: Iterable[str]) -> dict[str, str]:
    """What keys are called today."""
    found = {}
    for key in keys:
        name = key
        for change in key_changes():
            if change.kind == "renamed" and change.matches(name):
                name = change.translate(name) or name
        if name != key:
            found[key] = name
    return found


def of_environments(a: Mapping[str, str], b: Mapping[str, str]) -> dict[str, tuple[object, object]]:
    names = dict.fromkeys([*a, *b])
    return {f"${name}": (a.get(name), b.get(name)) for name in names if a.get(name) != b.get(name)}
