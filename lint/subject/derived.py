"""Sizes and choices that many rules need, derived from a launch as verl derives them. Pure functions over a `Subject`.

Each returns None when something it needs is unknown or absent. Read in verl 0.7.1, 0.8.0, 0.9.0 and main (1dda039b9):
verl/workers/config/actor.py, verl/workers/engine/*/transformer_impl.py, verl/trainer/main_ppo.py and ppo/utils.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Literal, TypeAlias

from lint.schema.load import own_name
from lint.subject.once import once
from lint.subject.subject import Subject
from lint.versions import version

Role: TypeAlias = Literal["actor", "ref", "critic"]
Generation: TypeAlias = Literal["v0", "v1"]

ACTOR = "actor_rollout_ref.actor"
REF = "actor_rollout_ref.ref"
ROLLOUT = "actor_rollout_ref.rollout"
MODEL = "actor_rollout_ref.model"
CRITIC = "critic"
PREFIXES: dict[Role, str] = {"actor": ACTOR, "ref": REF, "critic": CRITIC}


# ------------------------------------------------------------------------------------------------------- releases


# The branch main carries the number of the release after next long before that is out: a checkout of it has what came
# with these releases only if it has a key that came with them.
CAME_WITH = {"0.9.1": f"{ROLLOUT}.router_config_path"}


def at_least(subject: Subject, release: str) -> bool:
    """True if the launch runs under `release` or a later one."""
    if between_releases(subject) and release in CAME_WITH:
        return subject.setting(CAME_WITH[release]) is not None
    return version(subject.release) >= version(release)


def between_releases(subject: Subject) -> bool:
    """True for a checkout of a branch: which vLLM, SGLang or Megatron runs with it is not known."""
    return subject.composition is not None and "dev" in subject.composition.schema.release


@once
def trains(subject: Subject) -> bool:
    """False for programs that compose the same config and read it in their own way: generation, evaluation, VLA."""
    entry_point = subject.launch.entry_point
    only_generates = entry_point.endswith(("main_generation_server", "main_generation", "main_eval"))
    return not only_generates and not entry_point.startswith("verl.experimental.vla.")


def follows_verl(subject: Subject) -> bool:
    """True if the program is verl's own, or DAPO's, which runs its trainer; others may read the same keys otherwise."""
    return subject.launch.entry_point.startswith(("verl.", "recipe.dapo."))


def is_own_name(subject: Subject, name: str) -> bool:
    """True for a loss, estimator, parser or engine that the checkout of the launch brings and no release has."""
    return subject.composition is not None and own_name(subject.composition.schema, name)


def loads_modules(subject: Subject) -> bool:
    """True if verl is told to import modules of others first (verl/__init__.py): they may register any name."""
    given = subject.launch.environment.get("VERL_USE_EXTERNAL_MODULES")
    return given is not None and given.value != ""


@once
def legacy_workers(subject: Subject) -> bool:
    """True if the workers of 0.7 and before run: other code reads the same keys (verl/workers/fsdp_workers.py)."""
    return not at_least(subject, "0.8.0") and subject.string("trainer.use_legacy_worker_impl") != "disable"


@once
def generation(subject: Subject) -> Generation | None:
    """The trainer class: `main_ppo` starts V1 (verl/trainer/ppo/v1) where `trainer.use_v1` says so.

    DAPO, the experimental asynchronous trainers and recipes older than V1 build on V0; of others nothing is known.
    """
    entry_point = subject.launch.entry_point
    if entry_point != "verl.trainer.main_ppo":
        older = entry_point.startswith("recipe.") and subject.setting("trainer.use_v1") is None
        return "v0" if older or entry_point.startswith(("recipe.dapo.", "verl.experimental.")) else None
    if subject.setting("trainer.use_v1") is None:
        return "v0"
    chosen = subject.boolean("trainer.use_v1")
    return None if chosen is None else "v1" if chosen else "v0"


def trainer_mode(subject: Subject) -> str | None:
    """`sync`, `colocate_async` or `separate_async` of V1; None for V0 and unknown."""
    return subject.string("trainer.v1.trainer_mode") if generation(subject) == "v1" else None


def separate_pools(subject: Subject) -> bool:
    """True if the rollout has devices of its own: V1 `separate_async`, or a trainer with a `rollout.nnodes`."""
    return trainer_mode(subject) == "separate_async" or subject.setting("rollout.nnodes") is not None


# ---------------------------------------------------------------------------------------------------------- roles


@once
def needs_critic(subject: Subject) -> bool | None:
    """`critic.enable` if it is set, else whether the estimator is `gae` (verl/trainer/ppo/utils.py :: need_critic)."""
    if not trains(subject):
        return None
    if subject.setting("critic.enable") is None and subject.setting("algorithm.adv_estimator") is None:
        return None
    enabled = subject.boolean("critic.enable")
    if enabled is not None:
        return enabled
    estimator = subject.string("algorithm.adv_estimator")
    return None if estimator is None else estimator == "gae"


@once
def uses_reference(subject: Subject) -> bool | None:
    """True if reference log-probabilities are computed (verl/trainer/ppo/utils.py :: need_reference_policy)."""
    in_reward, in_loss = subject.boolean("algorithm.use_kl_in_reward"), subject.boolean(f"{ACTOR}.use_kl_loss")
    if in_reward or in_loss:
        return True
    return None if in_reward is None or in_loss is None else False


def lora_rank(subject: Subject) -> int | None:
    """The rank in effect: `model.lora.rank` if positive, else `model.lora_rank`; 0 without LoRA."""
    rank = subject.integer(f"{MODEL}.lora.rank") or 0
    if rank > 0:
        return rank
    rank_of_adapter = subject.integer(f"{MODEL}.lora_rank")
    return None if rank_of_adapter is None else max(0, rank_of_adapter)


def builds_reference(subject: Subject) -> bool | None:
    """True if a second set of weights is loaded: with LoRA the actor without its adapter is the reference."""
    used, rank = uses_reference(subject), lora_rank(subject)
    if not used:
        return used
    return None if rank is None else rank == 0 and subject.value(f"{MODEL}.lora_adapter_path") is None


# -------------------------------------------------------------------------------------------------------- engines


def strategy(subject: Subject, role: Role = "actor") -> str | None:
    """`fsdp`, `fsdp2`, `megatron`, `veomni`, `torchtitan`, ... as the role's `strategy` says."""
    return subject.string(f"{PREFIXES[role]}.strategy")


@once
def engine(subject: Subject, role: Role = "actor") -> str | None:
    """The family of the strategy: `fsdp2` counts as `fsdp`."""
    chosen = strategy(subject, role)
    return "fsdp" if chosen == "fsdp2" else chosen


@once
def engine_node(subject: Subject, role: Role = "actor") -> str | None:
    """The key under which the role's engine is configured, for example `actor_rollout_ref.actor.fsdp_config`."""
    family, prefix = engine(subject, role), PREFIXES[role]
    if family != "fsdp":
        return None if family is None else f"{prefix}.{family}"
    if role != "critic":
        return f"{prefix}.fsdp_config"
    return "critic.fsdp" if at_least(subject, "0.8.0") else "critic.model.fsdp_config"


@once
def sequence_parallel_key(subject: Subject, role: Role = "actor") -> str | None:
    """The key whose value decides by how many devices a sequence is split in the role's engine.

    FSDP: the actor and the reference copy the role's key over the engine's when it is above 1
    (FSDPActorConfig.__post_init__); the critic of 0.8.0 and later does not. None: the engine does not split.
    """
    family, node = engine(subject, role), engine_node(subject, role)
    if family == "megatron":
        return f"{node}.context_parallel_size"
    if family == "veomni":
        return f"{node}.ulysses_parallel_size"
    if family != "fsdp":
        return None
    of_role = f"{PREFIXES[role]}.ulysses_sequence_parallel_size"
    of_engine = f"{node}.ulysses_sequence_parallel_size"
    if legacy_workers(subject):
        return of_role
    if role == "critic":
        return of_engine
    return of_role if (subject.integer(of_role) or 0) > 1 else of_engine


def sequence_parallel(subject: Subject, role: Role = "actor") -> int | None:
    """Devices over which one sequence is split (Ulysses or context parallel): token budgets are multiplied by it."""
    key = sequence_parallel_key(subject, role)
    if key is None or (subject.setting(key) is not None and subject.value(key) is None):
        return None
    return subject.integer(key) or 1


def megatron_sizes(subject: Subject, role: Role = "actor") -> tuple[int, int, int] | None:
    """Tensor, pipeline and context parallel size of a Megatron role."""
    node = f"{PREFIXES[role]}.megatron"
    sizes = [subject.integer(f"{node}.{name}_parallel_size") for name in ("tensor_model", "pipeline_model", "context")]
    return None if None in sizes else (sizes[0] or 1, sizes[1] or 1, sizes[2] or 1)


def expert_tensor_parallel(subject: Subject, role: Role = "actor") -> int | None:
    """Tensor parallel size of the experts: the dense one when null (Megatron :: initialize_model_parallel)."""
    key = f"{PREFIXES[role]}.megatron.expert_tensor_parallel_size"
    if subject.is_null(key):
        return subject.integer(f"{PREFIXES[role]}.megatron.tensor_model_parallel_size")
    return subject.integer(key)


# ---------------------------------------------------------------------------------------------------------- sizes


def world_size(subject: Subject) -> int | None:
    """Devices of the training pool: `trainer.nnodes` x `trainer.n_gpus_per_node`, or as the user stated them."""
    pool = training_pool(subject)
    return None if pool is None else pool[0] * pool[1]


def training_pool(subject: Subject) -> tuple[int, int] | None:
    """Nodes and devices per node of the training pool; the command line or the script's head may state the nodes."""
    if subject.cluster is not None:
        return subject.cluster.nodes, subject.cluster.devices_per_node
    nodes, devices = subject.integer("trainer.nnodes"), subject.integer("trainer.n_gpus_per_node")
    return None if nodes is None or devices is None else (nodes, devices)


def rollout_pool(subject: Subject) -> tuple[int, int] | None:
    """Nodes and devices per node on which the rollout runs."""
    if subject.setting("rollout.nnodes") is not None:
        node = "rollout"
    elif trainer_mode(subject) == "separate_async":
        node = ROLLOUT
    else:
        return training_pool(subject)
    nodes, devices = subject.integer(f"{node}.nnodes"), subject.integer(f"{node}.n_gpus_per_node")
    return None if nodes is None or devices is None else (nodes, devices)


def replica_size(subject: Subject) -> int | None:
    """Devices of one rollout replica: tensor x data x pipeline parallel size."""
    sizes = [subject.integer(f"{ROLLOUT}.{name}_parallel_size") for name in ("tensor_model", "data", "pipeline_model")]
    return None if None in sizes else prod(size or 1 for size in sizes)


@once
def data_parallel(subject: Subject, role: Role = "actor") -> int | None:
    """Groups that each get other samples. None also if the devices cannot be divided (another rule says so)."""
    world = world_size(subject)
    if world is None:
        return None
    if engine(subject, role) == "megatron":
        if subject.boolean(f"{PREFIXES[role]}.megatron.dynamic_context_parallel"):
            return 1
        sizes = megatron_sizes(subject, role)
        split = None if sizes is None else prod(sizes)
    else:
        split = sequence_parallel(subject, role)
    return None if not split or world % split else world // split


def samples(subject: Subject) -> int | None:
    """Responses per step: `data.train_batch_size` x `rollout.n`; None also for 0 (fully asynchronous trainers)."""
    return _rows(subject, "data.train_batch_size")


def mini_batch_rows(subject: Subject, role: Role = "actor") -> int | None:
    """Responses per optimizer step over all devices: `ppo_mini_batch_size` x `rollout.n`."""
    return _rows(subject, f"{PREFIXES[role]}.ppo_mini_batch_size")


def _rows(subject: Subject, key: str) -> int | None:
    """Prompts of a key x responses per prompt, if both are positive and something is trained."""
    prompts, responses = subject.integer(key), subject.integer(f"{ROLLOUT}.n")
    if not trains(subject) or prompts is None or responses is None or min(prompts, responses) < 1:
        return None
    return prompts * responses


def longest_sequence(subject: Subject) -> int | None:
    """Tokens of the longest sequence: `data.max_prompt_length` + `data.max_response_length`."""
    prompt, response = subject.integer("data.max_prompt_length"), subject.integer("data.max_response_length")
    return None if not trains(subject) or prompt is None or response is None else prompt + response


def trained_roles(subject: Subject) -> tuple[Role, ...]:
    """`actor`, and `critic` where one is certainly built."""
    return ("actor", "critic") if needs_critic(subject) else ("actor",)


# ------------------------------------------------------------------------------------------------------ suggestions


LARGEST_SUGGESTION = 1 << 14  # no size that a message suggests is larger; a script may hold any number


def divisors(number: int, limit: int = LARGEST_SUGGESTION) -> list[int]:
    """The divisors of a positive number up to a limit, ascending."""
    highest = min(number, limit, LARGEST_SUGGESTION)
    return [candidate for candidate in range(1, highest + 1) if number % candidate == 0]


def either(values: Sequence[object]) -> str:
    """Values to choose from, for a message: `4`, `1, 2 or 4`; `another value` if none is known."""
    *first, last = map(str, values or ["another value"])
    return f"{', '.join(first)} or {last}" if first else last


def nearest_multiples(value: int, step: int) -> str:
    """The positive multiples of `step` on both sides of `value`, for a message: `96 or 128`."""
    below = value // step * step
    return f"{below} or {below + step}" if below else str(step)
