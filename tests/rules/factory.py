"""Subjects without bash: one launch of `main_ppo`, composed with the real schema of a release.

    subject({"actor_rollout_ref.rollout.n": 8}, model="Qwen3-8B", nodes=2, release="0.9.1")

Keys may carry a prefix (`+trainer.x`). A minimal launch that no rule objects to is laid under them; a value of None
takes a key of it away.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lint.bash.reading import Known, Origin, RunCommand, Text
from lint.facts.devices import Cluster, find_device
from lint.facts.models import find_model
from lint.findings import Finding
from lint.launch.compose import compose
from lint.launch.find import find
from lint.rules.registry import load
from lint.schema.load import load as load_schema
from lint.schema.schema import Schema
from lint.subject.subject import Subject
from lint.text import Source, Span

PATH = "run.sh"
BASE = {
    "actor_rollout_ref.rollout.name": "vllm",
    "algorithm.adv_estimator": "grpo",
    "actor_rollout_ref.actor.use_dynamic_bsz": "True",
}


def subject(
    overrides: Mapping[str, object] | None = None,
    *,
    model: str | None = "Qwen3-8B",
    device: str | None = None,
    nodes: int = 1,
    devices: int = 8,
    release: str = "0.9.1",
    environment: Mapping[str, str] | None = None,
    entry_point: str = "verl.trainer.main_ppo",
    flags: tuple[str, ...] = (),
    schema: Schema | None = None,
) -> Subject:
    """A launch with these overrides, each written on a line of its own (the first one on line 2)."""
    settings: dict[str, object] = {**BASE, "trainer.nnodes": nodes, "trainer.n_gpus_per_node": devices}
    settings.update(overrides or {})
    words = [
        "python3",
        "-m",
        entry_point,
        *flags,
        *(f"{key}={value}" for key, value in settings.items() if value is not None),
    ]
    lines = [" ".join(words[: 3 + len(flags)]), *words[3 + len(flags) :]]
    text = "\n".join(lines)
    source = Source(PATH, text)
    spans = []
    position = 0
    for word in words:
        start = text.index(word, position)
        position = start + len(word)
        spans.append(Span(PATH, start, position))
    texts = tuple(Text((Known(word, Origin(span, "literal")),)) for word, span in zip(words, spans, strict=True))
    exported = {name: Text((Known(value, Origin(spans[0], "literal")),)) for name, value in (environment or {}).items()}
    command = RunCommand(Span(PATH, 0, len(text)), texts, tuple(spans), exported, {})
    launch = find(command)
    assert launch is not None
    composition = compose(launch, schema or load_schema(release))
    assert not composition.problems, composition.problems
    known = None if device is None else find_device(device)
    return Subject(
        launch,
        composition.config,
        release,
        None if model is None else find_model(model),
        known,
        Cluster(nodes, devices, known),
        {},
        {PATH: source},
        composition,
    )


def findings(rule: str, launched: Subject) -> list[Finding]:
    """What a rule finds, release bounds and default options included."""
    chosen = load(rule)
    if not chosen.applies_to(launched.release):
        return []
    return list(chosen.check(replace(launched, options=chosen.options)))
