"""The comment at the head of an adapted copy: what can be computed is, the rest is said to be the original's.

A head is the comment below the shebang. Its first line is a title; a paragraph may begin with a label:

    # GRPO of Qwen3-8B on GSM8K: FSDP training, vLLM rollout.
    #
    # Hardware:  1 node with 8 NPUs (ascend-a2)
    # Memory:    GiB expected of 61.0 on each NPU: init 40, generate 40; on each host: 253
    #            a label's text goes on, indented
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from textwrap import TextWrapper

from lint.facts.devices import Cluster
from lint.facts.model_names import last_name
from lint.fixes.adapt import Adapted, Step
from lint.fixes.trial import MODEL_PATH
from lint.frozen import frozen
from lint.memory.verdict import Prediction
from lint.regular import regular

GIB = 1 << 30
WIDTH = 120
COLUMN = 11
LABEL = regular(r"# ([A-Z][\w-]*(?: \w+){0,2}):[ ]+(?=\S)")
CONTINUED = regular(r"# {3,}\S")
DIRECTIVE = regular(r"#[ \t]*recipe-lint:")
COMPUTED = ("Model", "Hardware", "Memory", "NPU-hours", "GPU-hours", "Made from", "Changed", "Open", "Several nodes")
"""Labels whose text is written anew."""
CALLS = ("Try it", "Change it")
"""Labels whose text is a command that starts the script."""


@frozen
class Head:
    """A head in its parts. `labels` hold the lines of each label as they are, `notes` what stands under none."""

    shebang: str
    title: str
    labels: Mapping[str, tuple[str, ...]]
    notes: tuple[str, ...]
    directives: tuple[str, ...]
    body: str


def with_new_head(adapted: Adapted, recipe: str, script: str) -> str:
    """The text of a copy with its own head. `recipe` and `script` are the paths of the original and of the copy."""
    old = read(adapted.source.text)
    original, name = PurePosixPath(recipe).name, PurePosixPath(script).name
    lines = [old.shebang] if old.shebang else []
    lines += [f"# {_title(adapted, old.title, original)}", "#"]
    for label, text in _computed(adapted, original):
        lines += labelled(label, text)
        if label == "Hardware":
            lines += old.labels.get("Software", ())
    for label, written in old.labels.items():
        if label not in (*COMPUTED, *CALLS, "Software"):
            lines += _of_original(label, written, original)
    if old.notes:
        lines += ["#", f"# From the head of {original}; what it says of sizes and of its model may not hold here:"]
        lines += old.notes
    lines.append("#")
    if adapted.trial.subject.cluster is not None and adapted.trial.subject.cluster.nodes > 1:
        lines.append("# Several nodes: start Ray on all of them, then run this on the head node.")
    lines += _calls(old, original, name, bool(adapted.steps[1:]))
    lines += ["#" for line in lines[-1:] if line != "#"]
    return "\n".join([*lines, *old.directives, old.body])


def read(text: str) -> Head:
    """The head of a script in its parts."""
    lines = text.split("\n")
    shebang = lines.pop(0) if lines[0].startswith("#!") else ""
    count = next((number for number, line in enumerate(lines) if not line.startswith("#")), len(lines))
    comment, body = lines[:count], "\n".join(lines[count:])
    titled = bool(comment) and not DIRECTIVE.match(comment[0]) and not LABEL.match(comment[0])
    title = comment.pop(0).lstrip("# ") if titled else ""
    labels: dict[str, list[str]] = {}
    notes: list[str] = []
    directives: list[str] = []
    label = ""
    for line in comment:
        found = LABEL.match(line)
        if DIRECTIVE.match(line):
            directives.append(line)
            label = ""
        elif found is not None:
            label = found[1]
            labels.setdefault(label, []).append(line)
        elif label and CONTINUED.match(line):
            labels[label].append(line)
        else:
            label = ""
            notes.append(line)
    whole = {name: tuple(written) for name, written in labels.items()}
    return Head(shebang, title, whole, tuple(_trimmed(notes)), tuple(directives), body)


def _trimmed(lines: list[str]) -> Iterator[str]:
    """Paragraphs without empty lines around them, and with one between two."""
    paragraph: list[str] = []
    for line in [*lines, "#"]:
        if line.rstrip() != "#":
            paragraph.append(line)
        elif paragraph:
            yield "#"
            yield from paragraph
            paragraph = []


# ------------------------------------------------------------------------------------------------- what is computed


def _title(adapted: Adapted, title: str, original: str) -> str:
    """The title with the new model's name for the old one, or one that says no more than is certain."""
    step = next((step for step in adapted.steps if step.key == MODEL_PATH), None)
    if step is None and title:
        return title
    if step is not None and title:
        old, new = last_name(step.before), last_name(step.after)
        if old in title:
            return title.replace(old, new)
    model = adapted.trial.subject.model
    return f"{'A launch' if model is None else model.name}, adapted from {original}."


def _computed(adapted: Adapted, original: str) -> Iterator[tuple[str, str]]:
    subject = adapted.trial.subject
    device = None if subject.device is None else subject.device.name
    yield "Hardware", hardware(subject.cluster, device)
    yield "Memory", memory(adapted.trial.prediction)
    unit = "GPU" if subject.device is not None and subject.device.kind == "cuda" else "NPU"
    yield f"{unit}-hours", "per step unknown; nobody has run this yet"
    yield "Made from", f"{original} by `recipe-lint new`"
    yield "Changed", "; ".join(map(_change, adapted.steps))
    left = [*adapted.by_hand, *(f"{finding.rule}: {finding.message}" for finding in adapted.left)]
    if left:
        yield "Open", "; ".join(left)


def _change(step: Step) -> str:
    """`rollout.tensor_model_parallel_size 4 -> 8 (model-divisible)`."""
    name = ".".join(step.key.split(".")[-2:])
    before, after = (last_name(value) if step.key == MODEL_PATH else value for value in (step.before, step.after))
    return f"{name} {before or 'unset'} -> {after or 'gone'}" + (f" ({step.rule})" if step.rule else "")


def hardware(cluster: Cluster | None, device: str | None) -> str:
    """`4 nodes with 16 NPUs each (ascend-a3)`."""
    if cluster is None:
        return f"unknown number of nodes{'' if device is None else f' of {device}'}"
    kind = "GPU" if cluster.device is not None and cluster.device.kind == "cuda" else "NPU"
    units = f"{cluster.devices_per_node} {kind}{'' if cluster.devices_per_node == 1 else 's'}"
    nodes = f"1 node with {units}" if cluster.nodes == 1 else f"{cluster.nodes} nodes with {units} each"
    return f"{nodes} ({device or 'unknown device'})"


def memory(prediction: Prediction | None) -> str:
    """`GiB expected of 61.3 on each NPU: init 40, generate 40; on each host: 684`."""
    if prediction is None:
        return "unknown: the model or the device is not known to recipe-lint"
    inputs = prediction.inputs
    kind = "NPU" if inputs.is_npu else "GPU"
    sizes = ", ".join(f"{name} {_gib(phase.expected.expected)}" for name, phase in prediction.phases.items())
    host = _gib(prediction.host.get("total", sum(prediction.host.values())))
    limit = inputs.device.memory_bytes / GIB
    return f"GiB expected of {limit:.1f} on each {kind}: {sizes}; on each host: {host}"


def _gib(size: float) -> int:
    return round(size / GIB)


def labelled(label: str, text: str) -> list[str]:
    """The lines of a label; a phase and its size stay on one line."""
    unbroken = re.sub(r"(?<=[a-z]) (?=\d+[,;])", "\N{NO-BREAK SPACE}", text)
    wrapper = TextWrapper(WIDTH - COLUMN - 2, break_on_hyphens=False, break_long_words=False)
    first, *rest = wrapper.wrap(unbroken) or [""]
    head = f"# {label + ':':<{COLUMN - 1}} {first}"
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in (head, *(f"# {'':<{COLUMN}}{line}" for line in rest))]


# --------------------------------------------------------------------------------------------------- what is kept


def _of_original(label: str, written: Iterable[str], original: str) -> list[str]:
    """A label's lines; those about sources say whose sources they are."""
    lines = list(written)
    if label == "Sources":
        lines.append(f"# {'':<{COLUMN}}(of {original}, for what is not listed as changed)")
    return lines


def _calls(head: Head, original: str, name: str, changed: bool) -> Iterator[str]:
    """The commands that start the script, under its new name; sizes that were an example may not be legal any more."""
    for label in CALLS:
        for line in head.labels.get(label, ()):
            renamed = line.replace(original, name)
            given = re.search(r"(?<=: )(?:[A-Z][A-Z0-9_]*=\S+ )+(?=bash )", renamed)
            if changed and label == "Change it" and given is not None:
                renamed = renamed.replace(given[0], "")
            yield renamed
