r"""The largest weight does not fit into the bucket through which weights go to vLLM.

## What it finds
`vocabulary x hidden size x bytes` of the embedding above `rollout.checkpoint_engine.update_weights_bucket_megabytes`
(2048 by default). Bytes per weight: FSDP sends what the actor holds, that is 4 unless `model_dtype` is bfloat16; the
engine workers of 0.7.1 and 0.8.0 cast to 2; Megatron sends 2.

## Why it hurts
verl 0.7.1 asserts "Weight ... is too large to fit in the bucket" in the first weight update, after all models were
loaded and the rollout was started. From 0.8.0 on large weights go around the bucket where device memory can be shared
between processes; on NPUs with a driver before 25.3.RC1 or CANN before 8.3.RC1 it cannot, and the assertion stands.
Images of 0.8.0 and later bring a newer CANN, but the driver is the host's: there it is only a remark.

## When it fails
first step: in the first weight update

## Example that fails
```bash
# recipe-lint: release=0.7.1 device=ascend-a2
OVERRIDES=(
    actor_rollout_ref.model.path=Qwen/Qwen3-VL-8B-Instruct
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.checkpoint_engine.update_weights_bucket_megabytes=2048  # <- here
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
# recipe-lint: release=0.7.1 device=ascend-a2
OVERRIDES=(
    actor_rollout_ref.model.path=Qwen/Qwen3-VL-8B-Instruct
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.checkpoint_engine.update_weights_bucket_megabytes=4096
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Raise the bucket to the next multiple of 1024 above the weight. It costs that much memory (twice with the nccl engine).

## Sources
- verl 0.7.1, 0.8.0, 0.9.0, main: verl/workers/rollout/vllm_rollout/bucketed_weight_transfer.py :: async_send_weights;
  before it (e9405d70b to c0388b4dc) vllm_rollout.py cast each weight to the rollout's dtype first
- verl 0.7.1: verl/workers/fsdp_workers.py :: rollout_mode; 0.7.1, 0.8.0, 0.9.0: engine/fsdp :: get_per_tensor_param
- verl main: verl/utils/device.py :: check_ipc_version_support; verl issues 5952, 5779
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, MODEL, ROLLOUT, at_least, engine, legacy_workers, lora_rank
from lint.subject.subject import Subject
from lint.subject.workers import on_npu

KEY = f"{ROLLOUT}.checkpoint_engine.update_weights_bucket_megabytes"
MEBIBYTE = 1 << 20
WIDTHS = {"fp32": 4, "float32": 4, "bf16": 2, "bfloat16": 2, "fp16": 2, "float16": 2}


def bytes_per_weight(subject: Subject) -> int | None:
    """Size of one element when it is sent; None for engines that were not read."""
    if engine(subject) == "megatron":
        return 2
    if engine(subject) != "fsdp":
        return None
    if not legacy_workers(subject) and subject.behaves("casts_before_send"):
        return 2
    return WIDTHS.get(subject.string(f"{ACTOR}.fsdp_config.model_dtype") or "")


def sends_adapter_only(subject: Subject) -> bool:
    """True if the rollout loads the base model itself and gets a LoRA adapter only."""
    adapter = bool(lora_rank(subject)) and not subject.boolean(f"{MODEL}.lora.merge")
    return adapter and "dummy" not in (subject.string(f"{ROLLOUT}.load_format") or "dummy")


@rule(severity="error", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """An embedding above the bucket, where the bucket is a limit."""
    bucket, width, model = subject.integer(KEY), bytes_per_weight(subject), subject.model
    if bucket is None or width is None or subject.string(f"{ROLLOUT}.name") != "vllm":
        return
    if model is None or model.confidence == "low":
        return
    certain = subject.behaves("bucket_is_a_limit")
    if sends_adapter_only(subject) or not (certain or (on_npu(subject) and at_least(subject, "0.8.0"))):
        return
    size = model.vocabulary_size * model.hidden_size * width
    if size <= bucket * MEBIBYTE:
        return
    enough = -(-size // (1024 * MEBIBYTE)) * 1024
    limit = "" if certain else "; a driver before 25.3.RC1 or CANN before 8.3.RC1 asserts that it fits"
    yield subject.finding(
        check,
        f"the embedding of {model.name} is {model.vocabulary_size} x {model.hidden_size} x {width} bytes = "
        f"{size / MEBIBYTE:.0f} MiB, more than {subject.describe(KEY)} holds{limit}",
        key=KEY,
        also=[f"{MODEL}.path"],
        severity="error" if certain else "info",
        confidence="high" if certain else "medium",
        phase="update_weights",
        help=f"write {KEY}={enough}",
        fix=subject.change(KEY, str(enough), safe=True),
    )
