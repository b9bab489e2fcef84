"""Fits a copy of a recipe to another model, cluster or device: the rules and the memory model decide what is legal.

Each change is an edit of the one literal that decides a value. What is asked for is written first, with what follows
from it; then sizes are changed one move at a time, until no rule about sizes objects or nothing helps any more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from lint.facts.devices import Device, find_device
from lint.facts.model_names import SAME_SHAPE, last_name
from lint.findings import Finding
from lint.fixes.fix import edited
from lint.fixes.moves import MINI_BATCH, RESPONSE, TRAIN_BATCH, additions, moves
from lint.fixes.trial import MODEL_PATH, OF_MEMORY, NotAdaptable, Trial
from lint.frozen import frozen
from lint.subject.derived import ACTOR, ROLLOUT
from lint.subject.workers import variable
from lint.suppression.suppress import UNUSED
from lint.text import Source

__all__ = ["Adapted", "NotAdaptable", "Step", "Wish", "adapt"]

GROUPS = ("batch", "environment", "length", "memory", "parallel", "rollout", "weights")
"""The groups of rules about sizes, and about what depends on them."""
NODES, PER_NODE = "trainer.nnodes", "trainer.n_gpus_per_node"
EXPERIMENT, PROJECT = "trainer.experiment_name", "trainer.project_name"
ROLLOUT_TENSOR = f"{ROLLOUT}.tensor_model_parallel_size"
EXPERT_SIZES = (
    f"{ROLLOUT}.expert_parallel_size",
    f"{ACTOR}.megatron.expert_model_parallel_size",
    f"{ACTOR}.megatron.expert_tensor_parallel_size",
)
VISIBLE = "ASCEND_RT_VISIBLE_DEVICES"
OF_LEARNING = {MINI_BATCH, TRAIN_BATCH, RESPONSE}  # changed where that ends an objection, never for a few bytes alone
ROUNDS = 24
TRIED = 3_000_000  # characters of all texts that are tried for one copy: some 400 recipes, about ten milliseconds each
ASKED = "as asked for"
GIVEN_UP = "the search for sizes that fit ended at its bound: it tried {tried} changes of this long script"
RENAME = f"{EXPERIMENT} is not decided by one value; rename it, or the copy resumes from checkpoints of the original"


@frozen
class Wish:
    """What the copy is for; None keeps what the recipe has. `name` becomes the name of the experiment."""

    name: str
    model: str | None = None
    nodes: int | None = None
    devices_per_node: int | None = None
    device: str | None = None


@frozen
class Step:
    """One change: a key, its values before and after, why, and the rule that asked for it, if one did."""

    key: str
    before: str
    after: str
    reason: str
    rule: str | None = None


@frozen
class Adapted:
    """The new text as the tool reads it, what was changed, what no change could help, and what is left to the user."""

    trial: Trial
    steps: tuple[Step, ...]
    left: tuple[Finding, ...]
    by_hand: tuple[str, ...] = ()

    @property
    def source(self) -> Source:
        return self.trial.source


def adapt(source: Source, wish: Wish) -> Adapted:
    """The recipe for what is wished. Raises `NotAdaptable`."""
    named = Trial(source, GROUPS).with_values({EXPERIMENT: wish.name})
    trial, steps = _with_wishes(Trial(source, GROUPS), wish, named is not None)
    tried = max(1, TRIED // len(source.text))
    budget = iter(range(tried))
    for _ in range(ROUNDS):
        better = _better(trial, budget)
        if better is None:
            break
        found, trial = better
        steps.extend(found)
    whole = replace(trial, rules=())
    for finding in whole.findings:
        if finding.rule == UNUSED and finding.fix is not None:
            trial = replace(trial, source=replace(trial.source, text=edited(trial.source.text, finding.fix.edits)))
            silenced = whole.source.text[finding.span.start : finding.span.end]
            steps.append(Step("suppression", silenced, "", finding.message, finding.rule))
            whole = replace(trial, rules=())
    by_hand = [] if named is not None else [RENAME]
    if next(budget, None) is None:
        by_hand.append(GIVEN_UP.format(tried=tried))
    left = whole.findings
    if whole.least_nodes is not None:
        by_hand.append(_too_few_nodes(whole, whole.least_nodes))
        left = tuple(finding for finding in left if finding.rule not in OF_MEMORY)
    return Adapted(whole, tuple(_merged(steps)), left, tuple(by_hand))


def _too_few_nodes(trial: Trial, least: int) -> str:
    """The one thing to know where no setting helps."""
    cluster, model = trial.subject.cluster, trial.subject.model
    assert cluster is not None
    assert model is not None
    return (
        f"{model.name} needs {least} nodes or more, not {cluster.nodes}: parameters, gradients and optimizer alone do "
        f"not fit {cluster.devices} devices, whatever else is set; its other memory was not looked at"
    )


def _merged(steps: Iterable[Step]) -> Iterator[Step]:
    """Each key once, from its first value to its last; what ended where it began is no change."""
    by_key: dict[tuple[str, str], Step] = {}
    for step in steps:
        name = (step.key, step.before if step.rule == UNUSED else "")
        first = by_key.get(name)
        by_key[name] = step if first is None else replace(first, after=step.after)
    yield from (step for step in by_key.values() if step.before != step.after)


# ------------------------------------------------------------------------------------------------ what is asked for


def _with_wishes(trial: Trial, wish: Wish, named: bool) -> tuple[Trial, list[Step]]:
    """The text with what is asked for and what follows from it."""
    steps: list[Step] = []
    original = trial
    if wish.device is not None:
        trial = _with_device(trial, wish.device, steps)
    for key, value, reason in _wishes(original, wish, named):
        changed = trial.with_values({key: value})
        if changed is None:
            raise NotAdaptable(f"{key} is not decided by one value of the script; set it by hand to {value}")
        if changed.source.text != trial.source.text:
            steps.append(Step(key, trial.shown(key), value, reason))
            trial = changed
    if wish.model is not None:
        before = trial.shown(MODEL_PATH)
        trial = trial.with_model(wish.model)
        if trial.shown(MODEL_PATH) != before:
            steps.append(Step(MODEL_PATH, before, trial.shown(MODEL_PATH), ASKED))
            trial = _with_project(trial, last_name(before), wish.model, steps)
            trial = _without_experts(trial, steps)
    return _with_visible(trial, steps), steps


def _wishes(trial: Trial, wish: Wish, named: bool) -> Iterator[tuple[str, str, str]]:
    if named:
        yield EXPERIMENT, wish.name, "the name of the copy"
    if wish.nodes is not None:
        yield NODES, str(wish.nodes), ASKED
    if wish.devices_per_node is not None:
        yield PER_NODE, str(wish.devices_per_node), ASKED
    elif wish.device is not None:
        before, after = trial.subject.device, find_device(wish.device)
        used = trial.subject.integer(PER_NODE)
        if after is not None and used is not None and _whole_nodes(before, used, after):
            yield PER_NODE, str(after.per_node), f"a node of {after.name} has {after.per_node}"


def _whole_nodes(before: Device | None, used: int, after: Device) -> bool:
    """True if a launch uses whole nodes now, or would want more of a node than the new one has."""
    return (before is not None and used == before.per_node != after.per_node) or used > after.per_node


def _with_device(trial: Trial, name: str, steps: list[Step]) -> Trial:
    """The text that states another device. Raises `NotAdaptable` where more than numbers would have to change."""
    before, after = trial.subject.device, find_device(name)
    if before is not None and after is not None and before.kind != after.kind:
        raise NotAdaptable(
            f"the recipe is for {before.name} ({before.kind}), and {after.name} is of another kind ({after.kind}): "
            "environment, kernels and versions differ; start from a recipe for that kind"
        )
    changed = trial.with_device(name)
    if changed.source.text != trial.source.text:
        steps.append(Step("device", "" if before is None else before.name, name, ASKED))
    return changed


def _with_project(trial: Trial, before: str, after: str, steps: list[Step]) -> Trial:
    """The project named after the new model, where it is named after the old one."""
    name = trial.shown(PROJECT)
    words = re.split(r"[^a-z0-9]+", before.lower())
    for count in range(len(words), 0, -1):
        old = "_".join(words[:count])
        if re.search(r"\d+b\b|\d+b_", old) and old in name:
            new = "_".join(word for word in re.split(r"[^a-z0-9]+", after.lower()) if word not in SAME_SHAPE)
            renamed = name.replace(old, new)
            changed = trial.with_values({PROJECT: renamed})
            if changed is not None and renamed != name:
                steps.append(Step(PROJECT, name, renamed, "named after the model"))
                return changed
    return trial


def _without_experts(trial: Trial, steps: list[Step]) -> Trial:
    """Sizes of expert parallelism at 1 where the new model has no experts."""
    model = trial.subject.model
    if model is None or model.experts is not None:
        return trial
    for key in EXPERT_SIZES:
        size = trial.subject.integer(key)
        if size is None or size < 2:
            continue
        own = trial.with_values({key: "1"})
        kept = own is not None and own.shown(ROLLOUT_TENSOR) == trial.shown(ROLLOUT_TENSOR)
        changed = own if kept else trial.with_written(key, "1")
        if changed is not None:
            steps.append(Step(key, str(size), "1", f"{model.name} has no experts", "expert-parallel-dense"))
            trial = changed
    return trial


def _with_visible(trial: Trial, steps: list[Step]) -> Trial:
    """The list of devices that processes see, for as many as a node has now; left alone if it is no plain list."""
    found, count = variable(trial.subject, VISIBLE), trial.subject.integer(PER_NODE)
    if found is None or count is None or found.value == (listed := ",".join(map(str, range(count)))):
        return trial
    start, end = found.span.start, found.span.end
    written = trial.source.text[start:end]
    if found.value is None or not re.fullmatch(r"\d+(,\d+)*", found.value) or found.value not in written:
        return trial
    text = trial.source.text[:start] + written.replace(found.value, listed) + trial.source.text[end:]
    steps.append(Step(VISIBLE, found.value, listed, f"a node has {count} devices"))
    return replace(trial, source=replace(trial.source, text=text))


# ------------------------------------------------------------------------------------------------- what makes it fit


def _better(trial: Trial, budget: Iterator[int]) -> tuple[list[Step], Trial] | None:
    """The first move that leaves fewer objections, or as many and less beyond the device; each takes from `budget`."""
    if not any(trial.score):
        return None
    legal = not (trial.score.layout or trial.score.errors)
    for move, _ in zip(moves(trial.subject, legal), budget, strict=False):
        changed = trial.with_values(move)
        worth = changed is not None and (changed.score[:-1] < trial.score[:-1] or not OF_LEARNING & move.keys())
        if changed is not None and worth and _is_better(changed, trial):
            return _steps(trial, changed, move), changed
    for (key, value, beside), _ in zip(additions(trial.subject), budget, strict=False):
        changed = trial.with_added(key, value, beside)
        if changed is not None and _is_better(changed, trial):
            return _steps(trial, changed, {key: value}), changed
    for finding, _ in zip(trial.findings, budget, strict=False):
        dropped = trial.without_variable(finding.span)
        if dropped is not None and _is_better(dropped[1], trial):
            name, changed = dropped
            return [Step(name, "set", "not set", finding.message, finding.rule)], changed
    return None


def _is_better(after: Trial, before: Trial) -> bool:
    """Fewer objections, or as many and less beyond the device; and no new refusal, save behind a layout that works."""
    works = after.score.layout < before.score.layout
    return after.score < before.score and (works or after.refusals <= before.refusals)


def _steps(before: Trial, after: Trial, move: Mapping[str, str]) -> list[Step]:
    reason, rule = _gone(before, after)
    return [
        Step(key, before.shown(key), value, reason, rule) for key, value in move.items() if before.shown(key) != value
    ]


def _gone(before: Trial, after: Trial) -> tuple[str, str | None]:
    """The first objection that a change ends, or the bytes that it saves."""
    rest = [finding.rule for finding in after.findings]
    rules = [finding.rule for finding in before.findings]
    for finding in before.findings:
        if rest.count(finding.rule) < rules.count(finding.rule):
            return finding.message, finding.rule
    saved = (before.score.excess - after.score.excess) / 2**30
    return f"takes {saved:.1f} GiB off what exceeds the device", "device-memory"
