"""What the tool knows about the world: releases, devices, models, environment variables, keys that moved."""

from __future__ import annotations

from docs.generator import Pages, table
from lint.facts.devices import load_devices
from lint.facts.entry_points import renamed_entry_points
from lint.facts.environment import environment_variables
from lint.facts.inventory import data_files
from lint.facts.models import load_models
from lint.facts.renamed_keys import key_changes
from lint.facts.software import load_software
from lint.schema.load import load, shipped

GIB = 2**30

HEAD = """# Facts

All of these are data files of the package, each entry with its source. To add one, see
[CONTRIBUTING](../CONTRIBUTING.md).
"""


def pages() -> Pages:
    """`facts.md`."""
    sections = {
        "Files": ("By the day on which their sources were read; schemas by the day of the release.", _files()),
        "Releases of verl": (
            "Built from the wheel and composed by real Hydra. Any other one: `recipe-lint schema build`.",
            _releases(),
        ),
        "Software of each release": ("In the images that the release ships for that kind of device.", _software()),
        "Devices": ("Usable memory as the runtime reports it, not the number on the box.", _devices()),
        "Models": (
            "A model that is not listed is read from its `config.json`, where the script names a folder that is there.",
            _models(),
        ),
        "Environment variables": ("Those whose reader was looked up.", _environment()),
        "Entry points that moved": ("By the first release that has the other name.", _entry_points()),
        "Keys that moved": ("Of verl's config, by the first release that has the change.", _keys()),
    }
    body = "\n".join(f"## {title}\n\n{text}\n\n{rows}" for title, (text, rows) in sections.items())
    return {"facts.md": f"{HEAD}\n{body}"}


def _files() -> str:
    rows = [(f"[{file.path}](../lint/{file.path})", file.date) for file in data_files()]
    return table(["file", "date"], rows)


def _releases() -> str:
    rows = []
    for release in shipped():
        schema = load(release)
        files = sum(len(found) for found in schema.folders.values())
        rows.append((release, schema.date, f"`{schema.origin}`", len(schema.entry_points), files, len(schema.classes)))
    return table(["release", "date", "built from", "entry points", "config files", "dataclasses"], rows)


def _software() -> str:
    rows = [
        (release, kind, one.vllm, one.vllm_ascend, one.sglang, one.torch_npu, one.cann, one.transformers)
        for (release, kind), one in load_software().items()
    ]
    return table(["release", "devices", "vllm", "vllm-ascend", "sglang", "torch_npu", "CANN", "transformers"], rows)


def _devices() -> str:
    rows = [
        (f"`{one.name}`", one.title, f"{one.memory_bytes / GIB:.2f}", "" if one.measured else "no", one.per_node)
        for one in load_devices().values()
    ]
    return table(["name", "device", "usable GiB", "measured", "per node"], rows)


def _models() -> str:
    rows = [
        (
            one.name,
            f"`{one.architecture}`",
            f"{one.parameters.total / 1e9:.2f}",
            f"{one.parameters.active / 1e9:.2f}" if one.experts else "",
            one.layers,
            f"{one.attention_heads}, {one.key_value_heads}",
            f"{one.experts.per_token} of {one.experts.count}" if one.experts else "",
            one.source,
        )
        for one in load_models().values()
    ]
    return table(
        ["model", "type", "10⁹ parameters", "active", "layers", "heads: query, key and value", "experts", "source"],
        rows,
    )


def _environment() -> str:
    rows = [
        (f"`{one.name}`", one.reader, one.device or "any", one.allowed and f"`{one.allowed}`", one.effect, one.source)
        for one in environment_variables().values()
    ]
    return table(["variable", "read by", "devices", "values", "what it sets", "source"], rows)


def _entry_points() -> str:
    rows = [
        (one.since, one.kind, f"`{one.old}`", f"`{one.new}`", one.note or "", one.source)
        for one in renamed_entry_points()
    ]
    return table(["since", "change", "entry point", "now", "note", "source"], rows)


def _keys() -> str:
    rows = [
        (one.since, one.kind, f"`{one.old}`", f"`{one.new}`" if one.new else one.note, one.source)
        for one in key_changes()
    ]
    return table(["since", "change", "key", "now", "source"], rows)
