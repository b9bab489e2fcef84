"""Everything the memory model needs to know of one launch, as plain values: no key names, no unknowns.

`lint.memory.reading` builds it from a `Subject`; what it had to assume is listed in `assumptions`, what the formulas
leave out in `unmodelled`. Sizes are bytes, lengths are tokens.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from lint.facts.devices import Device
from lint.facts.models import Model
from lint.facts.software import Software
from lint.frozen import frozen
from lint.memory.lengths import Batches, Sample
from lint.memory.names import Names

Role: TypeAlias = Literal["actor", "critic", "ref"]
Program: TypeAlias = Literal["ppo", "sft"]
Summons: TypeAlias = Literal["", "adapters", "base", "merged"]
"""What every device gathers the whole model for when weights are sent: to read its adapters, or to merge them.

"base": in the first update the base model itself, too, as the engine has not loaded it (`load_format` dummy).
"""
Family: TypeAlias = Literal["fsdp", "veomni", "torchtitan", "automodel"]


@frozen
class Fsdp:
    """FSDP1, FSDP2 and what builds on it. `shard` devices share each parameter; the rest of the world holds copies."""

    version: Literal[1, 2]
    family: Family
    shard: int
    shards_over_all: bool  # however many there are; False: their number is written
    tensor: int  # tensor parallel ranks that divide each parameter before it is sharded
    expert: int  # ranks over which experts are split before they are sharded
    sequence_parallel: int  # ranks that divide the tokens of one sample
    together: int  # ranks that compute one sample
    parameter_bytes: int  # of one stored parameter or gradient: `model_dtype`
    state_bytes: int  # of the optimizer for one parameter: both moments, and a master copy where it keeps one
    reduce_bytes: int  # of one gradient while it is reduced: `mixed_precision.reduce_dtype`
    offload_parameters: bool
    offload_optimizer: bool
    offload_policy: bool  # CPUOffloadPolicy: parameters, gradients and optimizer live on the host
    deferred_sync: bool  # gradients stay whole until the last micro-batch of a mini-batch
    deferred_reshard: bool  # and so do the parameters that were gathered
    switchable_sync: bool  # a key decides that (from verl 0.9.1 on)

    def groups(self, world: int) -> int:
        """Groups of ranks that compute samples of their own."""
        return max(1, world // self.together)


@frozen
class Megatron:
    """Megatron-Core. `stage_layers` are the layers of each pipeline stage."""

    tensor: int
    pipeline: int
    context: int
    expert: int
    expert_tensor: int
    data: int
    stage_layers: tuple[int, ...]
    chunks: int  # parts of a stage that take turns: virtual pipeline size
    gradient_bytes: int
    moment_bytes: int  # both Adam moments of one parameter
    distributed_optimizer: bool
    fully_sharded: bool  # Megatron-FSDP: parameters and gradients are split over data parallel ranks, too
    optimizer_cpu_fraction: float
    offload_parameters: bool
    offload_gradients: bool
    offload_optimizer: bool
    recompute: bool  # full recomputation of each layer
    recomputed_modules: frozenset[str]  # selective recomputation
    trains_mtp: bool  # multi-token-prediction layers lie on the last stage

    @property
    def sequence_parallel(self) -> int:
        return self.context

    def groups(self, world: int) -> int:
        """Groups of ranks that compute samples of their own."""
        return self.data


Engine: TypeAlias = "Fsdp | Megatron"


@frozen
class Training:
    """One role that runs on the trainer's engine."""

    role: Role
    engine: Engine
    kept_activations: float  # of each layer, for its backward pass; 0: all are computed again from the layer's input
    activation_offload: bool
    fused_kernels: bool
    chunked_entropy: bool
    entropy_chunk: int
    entropy_in_loss: bool
    distills_top_k: bool  # the loss takes the teacher's most likely tokens, from the whole log-softmax
    share_of_logits: float  # that the loss takes: 1, or a padded sample's response (in the workers of 0.7 and before)
    compiled_entropy: bool  # not on NPU (row grpo-qwen3-vl-8b), not for padded samples
    trainable_parameters: int  # all of them, or the adapter's
    lora: bool
    summons: Summons
    batches: Batches
    names: Names

    @property
    def gradient_checkpointing(self) -> bool:
        return self.kept_activations < 1


@frozen
class Kernels:
    """What the trainer computes in kernels that store less than the same in torch's own operators.

    Megatron and the engines that build on other model code bring theirs.
    """

    cross_entropy: bool  # of flash-attn or torch_npu; else a log-softmax for each token
    linear_attention: bool  # of flash-linear-attention
    attention: bool  # of flash-attn or torch; else all scores are stored


@frozen
class Rollout:
    """An inference engine, sharing devices with the trainer where `colocated`."""

    engine: str  # "vllm", "sglang"
    node: str  # where its settings are
    tensor: int
    data: int
    expert: int
    pipeline: int
    decoders: int  # servers of a replica that decode what another one has prefilled; 0: one server does both
    number_bytes: int  # of one weight, and of one number of the KV cache: `dtype`
    linear_bytes: int  # of one weight of a linear layer in a block: `quantization`
    utilization: float
    max_sequences: int
    batched_tokens: int
    longest_sequence: int
    eager: bool
    free_cache: bool
    colocated: bool
    own_pool: tuple[int, int] | None  # nodes, and devices of each, where it does not share those of the trainer
    shares_process: bool  # before verl 0.7.1 the engine runs in the trainer's process
    bucket_bytes: int
    interprocess: bool  # device memory can be handed over without a copy through host memory
    host_copy: bool  # asleep, its weights are kept in host memory
    keeps_weights: bool  # asleep, they stay on the device
    responses: int  # per step, over all devices

    @property
    def server_devices(self) -> int:
        """Devices of one server, each with the same share of the weights."""
        return self.tensor * self.data * self.pipeline

    @property
    def replica_devices(self) -> int:
        """Devices of one replica: of its server, or of the one that prefills and those that decode."""
        return self.server_devices * (1 + self.decoders)


@frozen
class Served:
    """A model beside the one that is trained, in an engine of its own: it scores responses, or teaches.

    It takes turns with rollout and trainer on their devices where its engine is `colocated`, else it has its own.
    """

    name: str
    phase: Literal["reward", "teacher"]
    model: Model
    engine: Rollout
    prompt_log_probs: bool  # of whole samples, as distillation asks for


@frozen
class Switches:
    """How the code of the launch's release behaves where releases differ. See `lint/schema/data/behaviours.json`."""

    separate_rollout_process: bool
    expandable_toggle_npu: bool
    empty_cache_before_resume: bool
    fsdp2_stages_shard: bool
    casts_before_send: bool
    copies_scaled_logits: bool
    unit_temperature_needs_no_copy: bool
    deferred_gradient_sync: bool
    keeps_micro_batches: bool  # outputs of each with their graph, until the mini-batch is over
    megatron_keeps_micro_batches: bool
    vllm_frees_cache_for_sync: bool  # a rollout on devices of its own, while weights are sent to it
    sglang_frees_cache_for_sync: bool
    sglang_clones_weights: bool  # into its bucket, however large they are
    sglang_keeps_base_weights: bool  # asleep, under an adapter that is not merged
    packed_experts: bool
    joins_padded_samples: bool  # of a nested tensor, to take the padding out
    fixed_segments: bool  # of the trainer's allocator, while it trains (before 0.6)
    entropy_in_every_pass: bool  # with its gradient, whatever its coefficient (before 0.4)
    always_sleeps: bool  # vLLM, whatever `free_cache_engine` says (before 0.5)
    vllm_pays_for_trainer: bool  # its share pays for what the trainer has loaded in the same process (before 0.6)
    vllm_before_sleep: bool  # the engine of verl 0.2 and before: no sleep mode, and its share is one of what is free


@frozen
class MemoryInputs:
    """One launch on one kind of device."""

    program: Program
    model: Model
    critic_model: Model | None
    device: Device
    nodes: int
    nodes_key: str  # the setting, or option of torchrun, that decides them
    devices_per_node: int
    release: str
    switches: Switches
    software: Software | None
    kernels: Kernels
    actor: Training
    critic: Training | None
    reference: Training | None
    rollout: Rollout | None
    served: tuple[Served, ...]
    recomputes_log_probs: bool  # by the trainer; False: those of the rollout are taken
    generates_again: bool  # after the first optimizer step, whose state is on the devices from then on
    temperature: float
    image_share: float  # of a sample's tokens; 0 for models without a vision tower
    vision_frozen: bool
    buffer_bytes: int  # of one HCCL communicator, send and receive
    reach: int  # tokens of a sample with a usual prompt of the data, and as long a response as may be
    samples: tuple[Sample, ...]  # that there may be, each as likely; none where their length is given
    expandable_segments: bool  # while training: the allocator's segments grow and shrink
    assumptions: tuple[str, ...]
    unmodelled: tuple[str, ...]

    @property
    def world(self) -> int:
        return self.nodes * self.devices_per_node

    @property
    def is_npu(self) -> bool:
        return self.device.kind == "npu"

    def model_of(self, training: Training) -> Model:
        """The model that a role computes."""
        return self.critic_model if training.role == "critic" and self.critic_model is not None else self.model


@frozen
class NotEnough:
    """Why a launch's memory cannot be computed."""

    reasons: tuple[str, ...]
