"""Activations that one decoder layer keeps for its backward pass, bytes.

FSDP runs transformers 5: element counts per token in bfloat16 (norms keep float32 copies) were measured on CPU with
saved_tensors_hooks; NPU patches fuse norms, SwiGLU and rotary embeddings (factor assumed). Megatron runs fused layers:
inputs and outputs of norms and of the four linear layers, 34 bytes x hidden size for a dense model (Korthikanti et al.
2022, without the attention scores that flash attention does not keep).
What a layer keeps where no kernel computes its attention was counted on CPU (live storages of one layer's passes).
"""

from __future__ import annotations

from lint.facts.models import Model
from lint.memory.constants import constants
from lint.memory.inputs import MemoryInputs, Training
from lint.memory.lengths import Lengths
from lint.memory.terms import Term, trained

PATCHES = 4
"""Patches of an image that are merged into one token of the language model (2 x 2)."""


def bytes_per_token(model: Model) -> int:
    """Bytes per token of the widest decoder layer."""
    hidden = model.hidden_size
    query, key_value = model.attention_heads * model.head_dim, model.key_value_heads * model.head_dim
    if model.latent_attention is not None:
        latent = model.latent_attention
        query = model.attention_heads * (latent.nope_head_dim + latent.rope_head_dim)
        key_value = model.attention_heads * latent.value_head_dim
    attention = 20 * hidden + 6 * query + 4 * key_value
    if model.query_key_norm:
        attention += 6 * (query + key_value)
    if model.linear_attention is not None:
        linear = model.linear_attention
        key, value = linear.key_heads * linear.key_head_dim, linear.value_heads * linear.value_head_dim
        attention = max(attention, 20 * hidden + 2 * (12 * key + 10 * value))
    if model.experts is None:
        return attention + 8 * model.intermediate_size
    experts = model.experts
    routed = experts.per_token * (8 * experts.intermediate_size + 4 * hidden)
    return attention + routed + 8 * experts.shared_intermediate_size


def fused_bytes_per_token(model: Model, recomputed: frozenset[str] = frozenset()) -> int:
    """Bytes per token that the widest decoder layer of Megatron keeps, before the split over tensor parallel ranks.

    `recomputed` are the modules of selective recomputation (transformer_config.py :: recompute_modules). Attention
    scores are never kept. The weights of the routing are applied inside the activation function (moe/experts.py ::
    weighted_bias_swiglu_impl), so the output of the experts need not be kept.
    """
    hidden = model.hidden_size
    query, key_value = model.attention_heads * model.head_dim, model.key_value_heads * model.head_dim
    norms = 4 * hidden if "layernorm" not in recomputed else 0
    attention = 4 * hidden + norms + 4 * query + 4 * key_value
    if model.query_key_norm:
        attention += 2 * (query + key_value)
    if model.experts is None:
        return attention + (0 if "mlp" in recomputed else 6 * model.intermediate_size)
    experts = model.experts
    if "moe" in recomputed:
        return attention
    width = 4 if "moe_act" in recomputed else 6
    shared = 0 if "shared_experts" in recomputed else 6 * experts.shared_intermediate_size
    return attention + experts.per_token * (width * experts.intermediate_size + 2 * hidden) + shared


def layer_activations(inputs: MemoryInputs, training: Training, lengths: Lengths) -> float:
    """Bytes of all activations of one layer."""
    fused, tokens = constants().fused_activations_npu if inputs.is_npu else 1.0, lengths.update_tokens
    return bytes_per_token(inputs.model_of(training)) * tokens * fused + _without_kernels(inputs, training, lengths)


def _without_kernels(inputs: MemoryInputs, training: Training, lengths: Lengths) -> float:
    """Bytes that a layer stores in addition where torch's own operators compute it.

    Packed samples are one sequence to attention in torch: scores of all of its tokens with each other, or the mask's.
    """
    model, numbers, kernels = inputs.model_of(training), constants(), inputs.kernels
    linear, tokens = 0.0, lengths.update_tokens
    if model.linear_attention is not None and not kernels.linear_attention:
        linear = numbers.linear_attention_plain * model.linear_attention.value_heads * tokens
    if kernels.attention:
        return linear
    return max(linear, numbers.attention_scores * model.attention_heads * tokens * (lengths.padded or tokens))


def vision_term(inputs: MemoryInputs, training: Training, tokens: int, *, recomputed: bool) -> Term:
    """What the vision tower keeps for its backward pass, until the end of the language model's.

    Its patches are not split over sequence parallel ranks (verl/workers/engine/fsdp/transformer_impl.py: the sequence
    is cut after the images are embedded). Without recomputation 34 bytes x hidden size, as for a dense decoder layer.
    """
    vision = inputs.model.vision
    known = vision is not None and vision.depth is not None and vision.hidden_size is not None
    if vision is None or not known or inputs.vision_frozen or training.role == "critic":
        return trained("checkpoints", 0)
    patches = PATCHES * inputs.image_share * tokens * training.engine.sequence_parallel
    each = (2 if recomputed else 34) * (vision.hidden_size or 0) * (vision.depth or 0)
    return trained("checkpoints" if recomputed else "activations", each * patches, "vision tower", 0.5)
