"""The inference engine: weights, KV cache pool, what it needs beside them. Bytes on one device.

Sources: vllm/v1/worker/gpu_worker.py :: determine_available_memory (pool = utilization x total - weights - profile
peak - outside torch), vllm_ascend/worker/worker.py (same), vllm_ascend issues 3368 and 5020 (hybrid pool, measured),
sglang/srt/model_executor/model_runner_kv_cache_mixin.py :: profile_max_num_token (0.5.8: share of what is free),
vLLM and SGLang parallel layers (what is split, what is copied). Measured: data/calibration.json.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil

from lint.facts.models import Model
from lint.facts.software import Software, version
from lint.memory.communicators import group_bytes, rollout_groups, trainer_groups
from lint.memory.constants import constants
from lint.memory.inputs import MemoryInputs, Rollout
from lint.memory.terms import Term
from lint.memory.trainer import trainer_of


def rollout_weights(model: Model, rollout: Rollout) -> int:
    """Weights of one device: split over tensor parallel ranks; key/value heads copied when there are fewer of them."""
    counts, tensor, number, linear = model.parameters, rollout.tensor, rollout.number_bytes, rollout.linear_bytes
    experts_split = tensor * rollout.data if rollout.expert > 1 else tensor
    quantized = (
        counts.full_attention_layers * _attention(model, tensor)
        + counts.linear_attention_layers * counts.linear_attention_layer / tensor
        + counts.dense_layers * counts.dense_mlp_layer / tensor
    )
    kept = model.layers * counts.norm_layer
    if model.experts:
        quantized += counts.moe_layers * (counts.experts_layer / experts_split + counts.shared_experts_layer / tensor)
        kept += counts.moe_layers * counts.router_layer
    ends = (counts.embedding + counts.output_head + counts.vision) / tensor
    return round(number * ends + (number * kept + linear * quantized) / rollout.pipeline)


def _attention(model: Model, tensor: int) -> float:
    """Parameters of one attention layer on one device."""
    layer, latent = model.parameters.attention_layer, model.latent_attention
    if latent is not None:  # the down projections are copied to every rank
        copied = model.hidden_size * (latent.key_value_rank + latent.rope_head_dim + (latent.query_rank or 0))
        return (layer - copied) / tensor + copied
    key_value = 2 * model.hidden_size * model.key_value_heads * model.head_dim
    copies = max(1.0, tensor / model.key_value_heads)
    return (layer - key_value) / tensor + key_value * copies / tensor


def token_bytes(model: Model, rollout: Rollout) -> int:
    """KV cache of one token on one device, as the engine counts the tokens of its pool.

    Hybrid models share one page layout between full and linear attention layers, so every layer costs a full page
    (vllm/v1/core/kv_cache_utils.py :: _report_kv_cache_config, 0.18.0; measured: row kv-qwen3-next).
    """
    return model.layers * layer_token_bytes(model, rollout)


def layer_token_bytes(model: Model, rollout: Rollout) -> int:
    """Keys and values of one token in one layer of full attention, on one device."""
    if model.latent_attention is not None:  # the compressed keys and values are copied to every rank
        latent = model.latent_attention
        return (latent.key_value_rank + latent.rope_head_dim) * rollout.number_bytes
    heads = max(1, model.key_value_heads // rollout.tensor)
    return 2 * heads * model.head_dim * rollout.number_bytes


def growing_bytes(model: Model, rollout: Rollout) -> int:
    """What one more token of a sequence takes on one device: layers of linear attention hold one state, however long.

    vllm/v1/kv_cache_interface.py :: FullAttentionSpec.max_memory_usage_bytes, MambaSpec.max_memory_usage_bytes
    (0.18.0), which the engine's check of one sequence adds up.
    """
    layers = ceil(model.parameters.full_attention_layers / rollout.pipeline)
    return layers * layer_token_bytes(model, rollout)


def pool_factor(model: Model, software: Software | None) -> int:
    """Physical over planned KV pool: vllm-ascend allocated hybrid pools several times (#3368, #3760, #6887)."""
    if model.linear_attention is None or software is None or software.vllm_ascend is None:
        return 1
    release = version(software.vllm_ascend)
    if release < (0, 12):
        return model.linear_attention.full_every
    return 2 if release < (0, 16) else 1


def profile_peak(model: Model, rollout: Rollout) -> int:
    """Activations of the largest forward pass that the engine profiles, sampling buffers included."""
    tokens, hidden = rollout.batched_tokens, model.hidden_size
    wide = tokens * 2 * hidden * 4
    if model.experts is not None:
        expert = 2 * hidden + 3 * model.experts.intermediate_size / rollout.tensor
        wide += round(tokens * model.experts.per_token * 2 * expert)
    else:
        wide += round(tokens * 2 * 3 * model.intermediate_size / rollout.tensor)
    return wide + rollout.max_sequences * model.vocabulary_size * 4 * 3


def outside_torch(inputs: MemoryInputs, rollout: Rollout) -> int:
    """Context of the engine's process and its communicators (NPU: one, as row kv-qwen3-next says)."""
    groups = rollout_groups(rollout.tensor)[: 1 if inputs.is_npu else None]
    return round(constants().context(inputs.device.kind) + group_bytes(inputs, groups))


def shared(inputs: MemoryInputs, rollout: Rollout) -> int:
    """What the share is a share of: the device; for SGLang what is free of it once the engine's process has started.

    The trainer's models are loaded then; the optimizer's state comes with the first step. The vLLM of 2024 in verl's
    own worker shares what is free once its weights are there and its largest batch has run, too
    (verl/third_party/vllm/vllm_v_0_6_3/worker.py :: determine_num_available_blocks, 0.2.0).
    """
    total = inputs.device.memory_bytes
    if _shares_what_is_free(inputs, rollout):
        taken = _loaded(inputs) + _own_outside(inputs, rollout)
        return total - taken - rollout_weights(inputs.model, rollout) - profile_peak(inputs.model, rollout)
    if rollout.engine != "sglang":
        return total
    return total - outside_torch(inputs, rollout) - (_loaded(inputs) if rollout.colocated else 0)


def _shares_what_is_free(inputs: MemoryInputs, rollout: Rollout) -> bool:
    """True for the vLLM of 2024 in the trainer's process, which has no sleep mode."""
    return rollout.shares_process and inputs.switches.vllm_before_sleep


def _loaded(inputs: MemoryInputs) -> int:
    """What the trainer keeps on the device from the start."""
    roles = [role for role in (inputs.actor, inputs.critic, inputs.reference) if role is not None]
    terms = [term for role in roles for term in trainer_of(role).resident_terms(inputs, role)]
    kept = sum(term.size for term in terms if term.component != "optimizer")
    return kept + round(constants().context(inputs.device.kind))


def budget(inputs: MemoryInputs, rollout: Rollout) -> int:
    """What the engine may fill: its share."""
    return round(rollout.utilization * shared(inputs, rollout))


def engines(inputs: MemoryInputs) -> Iterator[tuple[str, MemoryInputs, Rollout]]:
    """Each inference engine of a launch: its name, the launch with its model as the model, its settings."""
    if inputs.rollout is not None:
        yield "rollout", inputs, inputs.rollout
    for served in inputs.served:
        yield served.name, replace(inputs, model=served.model), served.engine


def planned_pool(inputs: MemoryInputs, rollout: Rollout) -> int:
    """KV pool as the engine plans it; negative when the weights alone exceed its budget.

    SGLang's share pays for weights and pool alone, vLLM's for all that the engine needs.
    """
    if _shares_what_is_free(inputs, rollout):
        return budget(inputs, rollout)
    left = budget(inputs, rollout) - rollout_weights(inputs.model, rollout)
    if rollout.engine == "sglang":
        return left
    others = _paid_for(inputs, rollout) if rollout.colocated else 0
    return left - profile_peak(inputs.model, rollout) - _own_outside(inputs, rollout) - others


def pays_for_trainer(inputs: MemoryInputs, rollout: Rollout) -> bool:
    """True if vLLM leaves room for what the trainer has loaded when it starts, however large its share."""
    in_process = rollout.shares_process and inputs.switches.vllm_pays_for_trainer
    return in_process or _shares_what_is_free(inputs, rollout) or _pays_for_others(inputs.software)


def _paid_for(inputs: MemoryInputs, rollout: Rollout) -> int:
    """Those bytes, in a process of both with the communicators of the trainer."""
    if not pays_for_trainer(inputs, rollout):
        return 0
    return _loaded(inputs) + (group_bytes(inputs, trainer_groups(inputs)) if rollout.shares_process else 0)


def _own_outside(inputs: MemoryInputs, rollout: Rollout) -> int:
    """What the engine adds outside torch: in the trainer's process its communicators, as the context is there."""
    if rollout.shares_process:
        return group_bytes(inputs, rollout_groups(rollout.tensor))
    return outside_torch(inputs, rollout)


def pool_tokens(inputs: MemoryInputs, rollout: Rollout) -> int:
    """Tokens that the KV pool holds, as the engine reports them."""
    return max(0, planned_pool(inputs, rollout)) // token_bytes(inputs.model, rollout)


def longest_held(inputs: MemoryInputs, rollout: Rollout) -> int:
    """Tokens of the longest sequence that the KV pool holds."""
    return max(0, planned_pool(inputs, rollout)) // growing_bytes(inputs.model, rollout)


def resting_terms(inputs: MemoryInputs, rollout: Rollout, *, awake: bool = False) -> tuple[Term, ...]:
    """What the engine holds while it sleeps, or all of it if it does not free its cache.

    `awake`: what it holds beside its two pools. In the trainer's process it may leave more behind than that. Under an
    adapter that is not merged SGLang gives back its cache alone (async_sglang_server.py :: sleep).
    """
    numbers = constants()
    if rollout.shares_process:
        return _left_in_process(inputs, rollout, awake=awake)
    base = (
        Term(
            "outside_torch",
            outside_torch(inputs, rollout),
            round(numbers.rollout_outside_deviation),
            note="rollout process",
        ),
        Term("rollout_reserve", round(numbers.asleep), round(numbers.asleep_deviation), note="outside the sleep pools"),
    )
    if rollout.free_cache:
        stays = rollout.keeps_weights and rollout.colocated and not awake
        return (*base, weights_term(inputs, rollout)) if stays else base
    return (*base, weights_term(inputs, rollout), pool_term(inputs, rollout), *generating_terms(inputs, rollout))


def _left_in_process(inputs: MemoryInputs, rollout: Rollout, *, awake: bool) -> tuple[Term, ...]:
    """What an engine in the trainer's process holds beside the trainer, and beside its pools while it is `awake`.

    The vLLM of 2024 leaves its communicators alone: its weights go to the host even where it keeps its cache
    (verl/third_party/vllm/vllm_v_0_6_3/worker.py :: offload_model_weights).
    """
    numbers, size = constants(), group_bytes(inputs, rollout_groups(rollout.tensor))
    kept = () if rollout.free_cache else (pool_term(inputs, rollout),)
    if _shares_what_is_free(inputs, rollout):
        left = Term("rollout_reserve", size, round(numbers.asleep_deviation), note="communicators of the rollout")
        return (left, *kept)
    others = numbers.awake_in_process if awake else numbers.asleep_in_process
    size += round(others - (numbers.graphs if rollout.eager else 0))
    deviation = 2 * numbers.asleep_deviation if awake else numbers.asleep_in_process_deviation
    left = Term("rollout_reserve", size, round(deviation), note="communicators, and outside the sleep pools")
    return (left, *kept) if rollout.free_cache else (left, weights_term(inputs, rollout), *kept)


def frees_for_sync(inputs: MemoryInputs, rollout: Rollout) -> bool:
    """True if a rollout on devices of its own gives its KV cache back while weights are sent to it.

    verl/checkpoint_engine/base.py :: update_weights, and the server's `release_kv_cache` (0.9.1; SGLang 0.8.0).
    """
    switches = inputs.switches
    frees = {"vllm": switches.vllm_frees_cache_for_sync, "sglang": switches.sglang_frees_cache_for_sync}
    return rollout.free_cache and frees.get(rollout.engine, False)


def weights_term(inputs: MemoryInputs, rollout: Rollout) -> Term:
    size = rollout_weights(inputs.model, rollout)
    return Term("rollout_weights", size, round(0.005 * size), note=f"tensor parallel {rollout.tensor}")


def pool_term(inputs: MemoryInputs, rollout: Rollout) -> Term:
    planned, factor = max(0, planned_pool(inputs, rollout)), pool_factor(inputs.model, inputs.software)
    note = f"gpu_memory_utilization {rollout.utilization:g}"
    if factor > 1:
        note += f", allocated {factor} times by vllm-ascend {inputs.software.vllm_ascend if inputs.software else ''}"
    return Term("kv_cache", planned * factor, round(constants().pool_deviation), note=note)


def generating_terms(inputs: MemoryInputs, rollout: Rollout) -> tuple[Term, ...]:
    """Beside weights and pool: the forward pass and captured graphs.

    vLLM keeps both until it sleeps: it fills its sampling buffers once, after the graphs are captured, so that its
    allocator holds on to them (vllm/v1/worker/gpu_worker.py :: compile_or_warm_up_model, 0.11 to 0.18).
    """
    deviation = round(constants().profile_deviation)
    peak = Term("rollout_activations", profile_peak(inputs.model, rollout), deviation, note="largest batch")
    if rollout.eager or rollout.shares_process or _budgets_graphs(inputs.software):  # shared: in what is left asleep
        return (peak,)
    numbers = constants()
    graphs = Term("rollout_reserve", round(numbers.graphs), round(numbers.graphs_deviation), note="captured graphs")
    return (peak, graphs)


def prompt_log_probs_term(inputs: MemoryInputs, rollout: Rollout) -> Term:
    """Log-probabilities of a whole prompt: its logits in bfloat16, in float32, and their log-softmax.

    vllm/v1/worker/gpu_model_runner.py :: _get_prompt_logprobs_dict (compute_logits, compute_logprobs), one request at
    a time and after the pool was planned; newer vLLM takes them in chunks.
    """
    tokens = min(rollout.batched_tokens, rollout.longest_sequence)
    size = tokens * inputs.model.vocabulary_size * (rollout.number_bytes + 4 + 4)
    return Term("logits", size, round(0.3 * size), note=f"log-probabilities of {tokens} prompt tokens")


def _pays_for_others(software: Software | None) -> bool:
    """vllm-ascend took all that is in use on the device for its own: its share pays for what the trainer has loaded.

    vllm_ascend/worker/worker_v1.py, worker.py :: determine_available_memory, v0.9.1 to v0.14.0rc1; not in v0.15.0rc1.
    """
    return software is not None and software.vllm_ascend is not None and version(software.vllm_ascend) < (0, 15)


def _budgets_graphs(software: Software | None) -> bool:
    """vllm-ascend counts captured graphs in the pool's budget since 0.19 (vllm-ascend#8289)."""
    return software is not None and software.vllm_ascend is not None and version(software.vllm_ascend) >= (0, 19)
