"""What a launch is checked against: release, model, device and cluster, and who said so.

In falling order: the command line, the head comment of the script, the settings for its path, what the script itself
says (`trainer.nnodes`, the model path), the runner of a workflow that starts it, the checkout of verl that holds the
script or that its repository holds, the verl that its repository asks for, the newest release. Nodes given by the head
comment or the settings count only where the script leaves them open.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from lint.bash.numbers import whole
from lint.checking.examination import Request
from lint.checking.made_models import is_made
from lint.facts.devices import Cluster, Device, find_device, load_devices
from lint.facts.model_config import read_model
from lint.facts.models import Model, find_model, load_models
from lint.files.checkout import checkout_of
from lint.files.required import required_verl
from lint.files.statements import Required
from lint.frozen import frozen
from lint.launch.config import LARGEST, Config
from lint.likeness import only_nearest
from lint.schema.load import load, shipped
from lint.schema.schema import Schema
from lint.settings import ScriptSettings
from lint.suppression.directives import Fact

OF_ASCEND = ("HCCL_", "ASCEND_", "PYTORCH_NPU_", "VLLM_ASCEND_", "TASK_QUEUE_ENABLE")
"""How the names of variables begin that a script for GPUs has no reason to export."""


MODEL_PATHS = ("actor_rollout_ref.model.path", "model.path")
"""Keys of the model that is trained."""

KIND_OF_VALUE = {"gpu": "cuda", "cuda": "cuda", "npu": "npu", "ascend": "npu"}
OTHER_KIND = {"cuda": "npu", "npu": "cuda"}
"""What scripts that run on both kinds of device call them in a toggle, and the kind that remains."""

COPY_OF = "`recipe-lint copies backport` writes this line"


@frozen
class Wrong:
    """A name that is not known, and the nearest one that is."""

    message: str
    help: str
    nearest: str | None


def unknown_fact(name: str, value: str) -> Wrong | None:
    """What is wrong with a stated release, device, model or number, if anything."""
    if name == "release":
        version = value.removeprefix("v")
        return None if version in shipped() else _wrong("release of verl", value, shipped(), _of_its_line(version))
    if name == "device":
        return None if find_device(value) else _wrong("device", value, tuple(load_devices()), _called(value))
    if name == "model":
        return (
            None if find_model(value) or read_model(value) else _wrong("model", value, tuple(load_models()), few=False)
        )
    if name == "copy-of":
        known = re.fullmatch("[0-9a-f]{7,64}", value)
        return None if known else Wrong(f"copy-of must be the id of a file in git, not {value!r}", COPY_OF, None)
    if not value.isdecimal() or not 1 <= whole(value) <= LARGEST:
        return Wrong(f"{name} must be a whole number of at least 1, not {value!r}", f"write {name}=4", None)
    return None


def _of_its_line(version: str) -> tuple[str, ...]:
    """The releases that a version may be meant for: 0.7.0 is nearer to 0.7.1 than to 0.9.0, whatever letters say."""
    if not re.fullmatch(r"\d+\.\d+(\.\d+)?", version):
        return shipped()
    line = ".".join(version.split(".")[:2])
    return tuple(release for release in shipped() if release.startswith(f"{line}."))


def _called(name: str) -> tuple[str, ...]:
    """The devices that a name may be meant for: those whose title has a part of it (`910B3`, `Atlas A2`), else all."""
    devices = load_devices()
    parts = {device: re.findall(r"[a-z]*\d+[a-z]+|[a-z]+\d+", devices[device].title.lower()) for device in devices}
    return tuple(device for device in devices if any(part in name.lower() for part in parts[device])) or tuple(devices)


def _wrong(
    kind: str, value: str, known: tuple[str, ...], likely: tuple[str, ...] | None = None, few: bool = True
) -> Wrong:
    choice = known if likely is None else likely
    near = choice[0] if len(choice) == 1 else only_nearest(value, choice)
    message = f"no {kind} is known by the name {value!r}" + (f"; did you mean {near!r}?" if near else "")
    help = f"known are {', '.join(known)}" if few else "write a name as Qwen3-8B, or the folder of a config.json"
    return Wrong(message, help, near)


# -------------------------------------------------------------------------------------------------------- release


def find_schema(path: str, facts: Mapping[str, Fact], request: Request) -> Schema:
    """The schema that a script is checked against."""
    stated = facts.get("release")
    releases = [request.given.release, stated.value if stated else None, request.settings.release]
    checkouts = [request.given.verl, None, request.settings.verl]
    for release, checkout in zip(releases, checkouts, strict=True):
        if checkout is not None:
            return _of_checkout(Path(checkout), request)
        if release is not None and release.removeprefix("v") in shipped():
            return load(release)
    nearest = checkout_of(path)
    if nearest is not None:
        return _of_checkout(nearest, request)
    required = required_verl(path)
    return load(shipped()[-1]) if required is None else _as_required(required)


@cache
def _as_required(required: Required) -> Schema:
    """The release that a repository asks for, or the nearest one, which then stands for it."""
    schema = load(required.nearest(shipped()))
    if required.allows(schema.release):
        return schema
    return replace(schema, stands_for=f"{required.text} ({required.place})")


def _of_checkout(folder: Path, request: Request) -> Schema:
    from lint.schema.checkout import checkout_schema  # reads YAML and Python: not loaded where a shipped schema does

    return checkout_schema(folder, request.schemas)


# ------------------------------------------------------------------------------------- model, device and cluster


def find_launch_model(
    config: Config,
    facts: Mapping[str, Fact],
    settings: ScriptSettings,
    given: ScriptSettings,
    made: Collection[str] = (),
) -> Model | None:
    """The model of a launch: as stated, else by the model path of its config (its config.json if it is at hand), unless
    the script makes that model itself (`made`)."""
    stated = stated_model(facts, settings, given)
    if stated is not None:
        return read_model(stated) or find_model(stated)
    for key in MODEL_PATHS:
        path = model_path(config, key)
        if path is not None:
            return read_model(path) or (None if is_made(config, key, made) else find_model(path))
    return None


def stated_model(facts: Mapping[str, Fact], settings: ScriptSettings, given: ScriptSettings) -> str | None:
    """The name or folder of the model that the command line, the head comment or the settings state."""
    fact = facts.get("model")
    return given.model or (fact.value if fact else None) or settings.model


def model_path(config: Config, key: str) -> str | None:
    """The path of a model, or its last part where only that is known."""
    setting = config.get(key)
    return None if setting is None else setting.path


def expected_tokens(facts: Mapping[str, Fact]) -> int | None:
    """Tokens of a usual sample, if the head comment says."""
    stated = facts.get("expected-tokens")
    return None if stated is None else _stated_count(stated)


def kind_of_branch(scenario: Mapping[str, str], all_scenarios: Iterable[Mapping[str, str]]) -> str | None:
    """The kind of device that a script starts a launch for under a scenario; None if no toggle of it says so.

    The first reading names no toggle: it is for the kind that no other reading is for.
    """
    for value in scenario.values():
        if value in KIND_OF_VALUE:
            return KIND_OF_VALUE[value]
    kinds = {KIND_OF_VALUE[value] for other in all_scenarios for value in other.values() if value in KIND_OF_VALUE}
    return OTHER_KIND[kinds.pop()] if len(kinds) == 1 else None


def find_cluster(
    config: Config,
    environment: Iterable[str],
    facts: Mapping[str, Fact],
    settings: ScriptSettings,
    given: ScriptSettings,
    branch: str | None = None,
    runner: Device | None = None,
) -> tuple[Device | None, Cluster | None]:
    """The device, and nodes x devices; each None where it is not known.

    A stated device is not that of a launch which the script starts for another kind of device (`branch`). What runs
    the workflow that starts the script (`runner`) counts where nothing else is said.
    """
    per_node = _count(config, "trainer.n_gpus_per_node")
    nodes = given.nodes or _count(config, "trainer.nnodes")
    if nodes is None:
        stated = facts.get("nodes")
        nodes = (_stated_count(stated) if stated else None) or settings.nodes
    stated = facts.get("device")
    device = None
    for name in (given.device, stated.value if stated else None, settings.device):
        if device is None and name is not None:
            device = find_device(name)
    if device is None:
        device = runner or _device_by_kind(config, environment, per_node)
    elif branch is not None and branch != device.kind:
        device = None
    cluster = None
    if nodes is not None and per_node is not None and min(nodes, per_node) > 0:
        cluster = Cluster(nodes, per_node, device)
    return device, cluster


def _stated_count(stated: Fact) -> int | None:
    number = whole(stated.value) if stated.value.isdecimal() else None
    return None if number is None or number > LARGEST else number


def _count(config: Config, key: str) -> int | None:
    setting = config.get(key)
    value = None if setting is None else setting.value
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST else None


def _device_by_kind(config: Config, environment: Iterable[str], per_node: int | None) -> Device | None:
    """The only NPU that comes in this number per node, if the launch is one for NPUs: by `trainer.device`, or by a
    variable that only the Ascend stack reads."""
    setting = config.get("trainer.device")
    stated = setting is not None and setting.override is not None
    if stated and setting is not None and setting.value != "npu":
        return None
    if not stated and not any(name.startswith(OF_ASCEND) for name in environment):
        return None
    fitting = [
        device
        for device in load_devices().values()
        if device.measured and device.kind == "npu" and device.per_node == per_node
    ]
    return fitting[0] if len(fitting) == 1 else None
