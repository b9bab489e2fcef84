"""How the memory model works, pictures of its predictions, and how far these are from what was measured."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from docs.generator import Pages, table
from lint.cli.memory import read
from lint.memory.calibration.labels import labels, undecidable_labels, workflow_labels
from lint.memory.calibration.measured import comparisons
from lint.memory.calibration.scores import alarms, bands, found, groups, without_limits
from lint.memory.picture import svg
from lint.memory.report import LaunchMemory, assumptions
from lint.memory.terms import GIB
from lint.memory.verdict import CERTAIN, LIKELY, TIGHT
from lint.memory.what_if import WhatIf
from lint.settings import ScriptSettings
from lint.text import Source

ROOT = Path(__file__).parents[2]
NEXT = "examples/ascend_extras/grpo_trainer/run_qwen3_next_80b_fsdp.sh"
LARGE = "examples/ascend_extras/grpo_trainer/run_qwen3_235b_256k_megatron.sh"
PICTURES: Mapping[str, tuple[str, str, WhatIf]] = {
    "qwen3_next_tp8": ("Qwen3-Next-80B, FSDP, as the recipe is", NEXT, WhatIf()),
    "qwen3_next_tp4": (
        "The same with `--tp 4 --util 0.8`: these values ran out of memory in update_weights (verl PR 6972)",
        NEXT,
        WhatIf(tensor=4, utilization=0.8),
    ),
    "qwen3_235b": ("Qwen3-235B-A22B, Megatron, 256k tokens", LARGE, WhatIf()),
}
"""What is drawn: title, recipe, and what is changed in it."""

TAGS = {
    "B": "blind: the row had no say in the model",
    "S": "a formula was settled while looking at the row",
    "C": "a constant was fitted on the row",
}

HEAD = f"""# The memory model

`recipe-lint memory SCRIPT` computes from a launch alone what is on each device in each phase of a step, and on the host
of each node. Nothing runs and no device is needed.

1. The script is read as for `check`: overrides, defaults of the release, model, device, nodes.
2. From these come plain sizes: shards, micro-batches, tokens, layers of a pipeline stage
   ([inputs](../lint/memory/inputs.py)).
3. Each owner of memory is a term with a formula and a standard deviation of its own: weights, gradients, optimizer
   state, gathered layers, activations, logits, the rollout's weights and key/value pool, weight buckets, communicators,
   allocator slack. The formulas stand in `lint/memory/trainer_fsdp.py`, `trainer_megatron.py`, `activations.py`,
   `logits.py`, `rollout.py`, `weight_sync.py`, `communicators.py` and `allocator.py`, each with its source.
4. A phase has moments: the terms that are alive together, in the order of verl's events
   ([phases](../lint/memory/phases.py)). Their sum has a mean and a spread.
5. The likeliest moment to exceed the device gives the verdict: `fits` below {TIGHT:.0%}, `tight` from there,
   `out-of-memory` from {CERTAIN:.0%} on, or where a check of sizes alone fails (a cache that cannot hold one sequence).
   Where the model, the device or a size is not known the verdict is `unknown` and says which.

Expected lengths decide the verdict; `longest samples` in the output is the same if every sample reaches the limits.
Numbers that no code states are [constants](#constants), each with its source and the rows it was fitted on.
"""


def pages() -> Pages:
    """`memory.md` and its pictures."""
    document = _json("calibration.json")
    drawn = {name: _launch(script, change) for name, (_, script, change) in PICTURES.items()}
    parts = [
        HEAD,
        "## Pictures\n\n" + "\n".join(_picture(name, launch) for name, launch in drawn.items()),
        "## Measured and predicted\n\n" + _measured(document),
        "## Launches that worked or ran out of memory\n\n" + _labelled(document),
        "## Constants\n\n" + _constants(),
        "## To add a measurement\n\nSee [lint/memory](../lint/memory/README.md).\n",
    ]
    found = {f"memory/{name}.svg": svg(launch) for name, launch in drawn.items()}
    return {"memory.md": "\n".join(parts), **found}


def _json(name: str) -> Any:
    return json.loads(files("lint.memory").joinpath("data", name).read_text("utf-8"))


def _launch(script: str, change: WhatIf) -> LaunchMemory:
    source = Source(script, (ROOT / script).read_text("utf-8"))
    launches, _ = read(script, source, ScriptSettings(), change)
    return launches[0]


def _picture(name: str, launch: LaunchMemory) -> str:
    title = PICTURES[name][0]
    assert launch.prediction is not None
    inputs = launch.prediction.inputs
    assumed = "; ".join([*assumptions(launch.prediction), *(f"not modelled: {part}" for part in inputs.unmodelled)])
    return f"{title}: {launch.verdict}.\n\n![{title}](memory/{name}.svg)\n\nAssumed: {assumed}.\n"


def _measured(document: Any) -> str:
    rows = {row["id"]: row for row in document["measured"]}
    compared = comparisons()
    lines = [
        (
            rows[one.name]["title"],
            f"{one.measured:.2f}",
            f"{one.predicted:.2f}",
            f"{round(one.error, 3) + 0:+.1%}",  # no minus before a zero
            one.tag,
            one.decided_by,
            rows[one.name]["source"],
        )
        for one in compared
    ]
    means = [
        f"- {tag}, {meaning}: {len(errors)} rows, mean error {sum(errors) / len(errors):.1%}, worst {max(errors):.1%}"
        for tag, meaning in TAGS.items()
        if (errors := [abs(one.error) for one in compared if one.tag == tag])
    ]
    head = ["launch", "measured", "predicted", "error", "tag", "decided by", "source"]
    left_out = "\n".join(f"- {row}" for row in document["left_out"])
    units = "GiB; thousand tokens where the launch says so."
    return f"{units}\n\n{table(head, lines)}\n" + "\n".join(means) + f"\n\nLeft out:\n\n{left_out}\n"


def _labelled(document: Any) -> str:
    rows = {row["id"]: row for row in document["labelled"]}
    known = labels()
    head = ["labels", "failures found", "worked, reported", "the same without those at the limit"]
    text = (
        f"A launch is reported from {TIGHT:.0%} on. C and S labels had a say in that number or in a formula, B "
        "labels did not. Workflows are the launches that verl's own start for every pull request "
        f"([source](../lint/memory/data/workflows.json)). "
        '"At the limit" is what its author brought there by trying: one sample more fails. '
        "In brackets: where the true share lies with 95 %. Wrong rows are marked.\n\n"
        f"{table(head, _counts())}\n\n"
        f"By chance: a finding is a warning from {LIKELY:.0%} on, below it an info.\n\n"
        f"{table(['chance', 'all that failed', 'blind ones that failed'], _bands())}"
    )
    lines = [
        (
            rows[one.name]["title"],
            "B" if one.blind else "C, S",
            "out of memory" if one.failed else "at the limit" if one.at_limit else "worked",
            f"{one.moment.expected / GIB:.1f}",
            f"{one.probability:.1%}",
            f"{one.moment.phase}, {one.moment.stage}",
            "" if one.flagged == one.failed else "**wrong**",
            rows[one.name]["source"],
        )
        for one in known
    ]
    head = ["launch", "tag", "truth", "predicted GiB", "risk", "likeliest moment", "", "source"]
    return f"{text}\n\n{table(head, lines)}\n\n{_undecided(rows)}"


def _undecided(rows: Mapping[str, Any]) -> str:
    """Launches that no reader of the script could judge, and the shares with them."""
    unknown, known = undecidable_labels(), labels()
    lines = [
        (
            rows[one.name]["title"],
            "B" if one.blind else "C, S",
            "out of memory" if one.failed else "worked",
            f"{one.probability:.1%}",
            one.undecidable,
            rows[one.name]["source"],
        )
        for one in unknown
    ]
    head = ["launch", "tag", "truth", "risk", "why the script does not decide it", "source"]
    text = "Launches that their scripts do not decide are in none of these numbers; the reason is given for each."
    shares = [
        f"- {title}, with them: {found(some)} failures found, {alarms(some)} that worked are reported"
        for title, blind in (("C, S", False), ("B", True))
        if (some := [one for one in (*known, *unknown) if one.blind is blind])
    ]
    return f"{text}\n\n{table(head, lines)}\n\n" + "\n".join(shares)


def _counts() -> Iterator[tuple[object, ...]]:
    """Right and wrong warnings of the labels that had a say in the model, and of those that had none; then by kind."""
    known = labels()
    for title, blind in (("C, S", False), ("B", True)):
        some = [one for one in known if one.blind is blind]
        yield f"**{title}**", found(some), alarms(some), alarms(without_limits(some))
        for kind, members in groups(some).items():
            yield f"{title}: {kind}", found(members), alarms(members), alarms(without_limits(members))
    for title, blind in (("looked at", False), ("B", True)):
        some = [one for one in workflow_labels() if one.blind is blind]
        yield f"**{title}: workflows of verl** ({_json('workflows.json')['date']})", "none failed", alarms(some), ""


def _bands() -> Iterator[tuple[object, ...]]:
    """Of the labels with a chance in each band, those that failed."""
    known = labels()
    blind = [one for one in known if one.blind]
    for (title, every), (_, some) in zip(bands(known), bands(blind), strict=True):
        yield title, every, some


def _constants() -> str:
    return table(["name", "value", "unit", "source", "fitted on"], _constant_rows())


def _constant_rows() -> Iterator[tuple[object, ...]]:
    for entry in _json("constants.json")["constants"]:
        fitted = ", ".join(entry["fitted_on"])
        yield f"`{entry['name']}`", entry["value"], entry["unit"], entry["source"], fitted
