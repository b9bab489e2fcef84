"""How the code of a launch's verl behaves where releases differ in what they hold in memory."""

from __future__ import annotations

from dataclasses import fields, replace

from lint.facts.software import software_of, version
from lint.memory.inputs import Switches
from lint.subject.derived import legacy_workers
from lint.subject.subject import Subject


def switches_of(subject: Subject) -> Switches:
    """The switches of the release or checkout that a launch is checked against.

    Workers of 0.7 and before always emptied the cache (verl/workers/fsdp_workers.py :: rollout_mode), and kept nothing
    of a micro-batch that was done (verl/workers/actor/dp_actor.py :: update_policy).
    They take the responses as a slice of the padded logits (dp_actor.py), the engine joins samples of a nested tensor.
    `packed_experts` is no behaviour of verl's code: transformers 5 keeps the experts of a layer as one tensor. The
    Ascend image of a release tells which transformers it came out with.
    """
    software = software_of(subject.release, "npu")
    transformers = version(software.transformers) if software is not None and software.transformers else ()
    legacy = legacy_workers(subject)
    found = {"packed_experts": transformers >= (5,), "joins_padded_samples": not legacy}
    names = (field.name for field in fields(Switches) if field.name not in found)
    switches = Switches(**found, **{name: subject.behaves(name) for name in names})
    if legacy:
        return replace(
            switches,
            empty_cache_before_resume=True,
            keeps_micro_batches=False,
            megatron_keeps_micro_batches=False,
        )
    return switches
