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
    `packed_experts` is no behaviour of verl's code: transformers 5 keeps the experts of a layer as one tensor. The
    Ascend image of a release tells which transformers it came out with.
    """
    software = software_of(subject.release, "npu")
    transformers = version(software.transformers) if software is not None and software.transformers else ()
    names = (field.name for field in fields(Switches) if field.name != "packed_experts")
    switches = Switches(packed_experts=transformers >= (5,), **{name: subject.behaves(name) for name in names})
    if legacy_workers(subject):
        return replace(
            switches,
            empty_cache_before_resume=True,
            keeps_micro_batches=False,
            megatron_keeps_micro_batches=False,
        )
    return switches
