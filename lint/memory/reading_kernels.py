"""Reads which kernels the trainer's model computes with, as far as a script and the image of a release can tell.

verl/workers/config/model.py :: attn_implementation (flash_attention_2 unless `override_config` says otherwise),
verl/utils/torch_functional.py :: logprobs_from_logits, transformers qwen3_5 :: torch_chunk_gated_delta_rule (5.10.4).
"""

from __future__ import annotations

from lint.facts.models import Model
from lint.facts.software import Software
from lint.memory.inputs import Engine, Fsdp, Kernels
from lint.memory.values import Values
from lint.subject.derived import at_least

PLAIN = ("sdpa", "eager")
"""Ways to compute attention that are chosen where flash-attn is not installed."""


def read_kernels(values: Values, model_node: str, engine: Engine, model: Model, software: Software | None) -> Kernels:
    """The kernels of the actor's engine, which the other roles share."""
    if not isinstance(engine, Fsdp) or engine.family != "fsdp":
        return Kernels(cross_entropy=True, linear_attention=True, attention=True)
    stated = values.node(f"{model_node}.override_config", "attn_implementation").get("attn_implementation")
    on_gpu = values.subject.device is not None and values.subject.device.kind == "cuda"
    without = on_gpu and stated in PLAIN
    if without:
        key = f"{model_node}.override_config.attn_implementation"
        values.assume(f"flash-attn is not installed, as {key} is {stated}: log-probabilities are computed in torch")
    return Kernels(
        cross_entropy=not (without or (on_gpu and _avoids(values))),
        linear_attention=not (on_gpu and model.linear_attention is not None and _lacks(values, engine, software)),
        attention=stated != "eager",
    )


def _avoids(values: Values) -> bool:
    """True if flash-attn's cross entropy is turned off (from 0.9.0 on)."""
    stated = values.subject.environment("VERL_DISABLE_FLASH_ATTN_CE")
    return at_least(values.subject, "0.9.0") and stated is not None and stated.value == "1"


def _lacks(values: Values, engine: Fsdp, software: Software | None) -> bool:
    """True if the release's image has no flash-linear-attention, and the launch shows no sign of it.

    From 0.9.0 on a sequence is only split with it (verl/models/transformers/qwen3_5.py).
    """
    if engine.sequence_parallel > 1 and at_least(values.subject, "0.9.0"):
        return False
    if software is None or software.flash_linear_attention is not None:
        return False
    values.assume(
        "linear attention in torch's own operators: the GPU image of this release has no flash-linear-attention"
    )
    return True
