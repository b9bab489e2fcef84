#!/usr/bin/env bash
# GRPO of Qwen3-Next-80B-A3B-Instruct on DAPO-Math-17k: FSDP2 training, vLLM rollout.
#
# Hardware:  4 nodes with 16 NPUs each (Atlas A3, 64 dies)
# Software:  verl 0.9.0, CANN 9.1.0, torch_npu 2.10.0, vllm-ascend 0.23.0
# Memory:    GiB expected of 61.3 on each NPU: init 40, update_weights 33, generate 40, old_log_prob 19,
#            ref_log_prob 12, update_actor 34, save 7; on each host: 684
# NPU-hours: per step unknown
# Sources:   examples/ascend_extras/grpo_trainer/run_qwen3_next_80b_fsdp.sh of verl at 1dda039b9;
#            verl #6972 for GEN_TP=8 and GPU_MEMORY_UTILIZATION=0.6
#
# Where this differs from the source, and why:
# - The source takes no overrides from its command line and keeps no log.
# - actor_rollout_ref.nccl_timeout is read by nothing since verl 0.8.0; HCCL_CONNECT_TIMEOUT and HCCL_EXEC_TIMEOUT set
#   the waits it was meant for.
# - use_torch_compile, the entropy key and the Ulysses size stand below fsdp_config, where the engine reads them in
#   every release since 0.8.0; one level higher they have no effect on some of these releases.
# - The last two checkpoints are kept; the source keeps all of them.
# - data.truncation is read by nothing; prompts that are too long are filtered out instead of cut silently.
# - Micro batch sizes are gone (use_dynamic_bsz ignores them), use_orig_params and forward_prefetch (FSDP1 only),
#   entropy keys of the reference model (it computes none), entropy_checkpointing (the loss has no entropy term), and
#   keys that repeat a default or have no effect.
#
# Known limits:
# - verl up to 0.9.1 does not carry the state of Qwen3-Next's linear attention across Ulysses slices, nor reset it
#   between packed sequences (verl #5346 is open), so log-probabilities are off by an unmeasured amount.
# - With weights in bfloat16 most steps of this learning rate are rounded away. The source trains so to save memory;
#   by recipe-lint memory, actor_rollout_ref.actor.fsdp_config.model_dtype=fp32 fits too (43 GiB), but nobody has said
#   that they ran it on NPUs.
#
# Several nodes: start Ray on all of them with ascend_extras/launch_ray_cluster.sh, then run this on the head node.
# Try it:    DRY_RUN=1 bash run_qwen3_next_80b_fsdp.sh        prints the command, starts nothing
# Change it: GEN_TP=16 bash run_qwen3_next_80b_fsdp.sh trainer.total_epochs=2
#
# recipe-lint: device=ascend-a3 release=0.9.0
# recipe-lint: copy-of=6c6f77683ed8
set -euo pipefail

# ------------------------------------------------------------------------------------------------------ user-adjustable
NNODES=${NNODES:-4}
NPUS_PER_NODE=${NPUS_PER_NODE:-16}

WORK_DIR=${WORK_DIR:-${HOME}/verl}
MODEL_PATH=${MODEL_PATH:-${WORK_DIR}/models/Qwen3-Next-80B-A3B-Instruct}
TRAIN_FILE=${TRAIN_FILE:-${WORK_DIR}/data/dapo-math-17k/train.parquet}
TEST_FILE=${TEST_FILE:-${WORK_DIR}/data/aime-2024/test.parquet}
PROJECT_NAME=${PROJECT_NAME:-verl_grpo_qwen3_next_80b}
EXPERIMENT_NAME=${EXPERIMENT_NAME:-qwen3_next_80b_fsdp}
CHECKPOINT_DIR=${CHECKPOINT_DIR:-${WORK_DIR}/checkpoints/${PROJECT_NAME}/${EXPERIMENT_NAME}}
LOG_DIR=${LOG_DIR:-logs}

TRAIN_BATCH_SIZE=${TRAIN_BATCH_SIZE:-16}      # prompts per step
PPO_MINI_BATCH_SIZE=${PPO_MINI_BATCH_SIZE:-8} # prompts per optimizer step
ROLLOUT_N=${ROLLOUT_N:-16}                    # responses per prompt
MAX_PROMPT_LENGTH=${MAX_PROMPT_LENGTH:-2048}
MAX_RESPONSE_LENGTH=${MAX_RESPONSE_LENGTH:-20480}
LEARNING_RATE=${LEARNING_RATE:-1e-6}

SP_SIZE=${SP_SIZE:-8}                                 # Ulysses sequence parallel size of training
GEN_TP=${GEN_TP:-8}                                   # tensor parallel size of rollout
GPU_MEMORY_UTILIZATION=${GPU_MEMORY_UTILIZATION:-0.6} # share of an NPU that rollout may take
OFFLOAD=${OFFLOAD:-True}                              # parameters, optimizer and activations wait in host memory

TOTAL_EPOCHS=${TOTAL_EPOCHS:-1}
SAVE_FREQ=${SAVE_FREQ:-5}
TEST_FREQ=${TEST_FREQ:--1}

# -------------------------------------------------------------------------------------------------------------- derived
sequence_length=$((MAX_PROMPT_LENGTH + MAX_RESPONSE_LENGTH))
# Between micro-batches verl 0.9.0 holds whole gradients on every NPU, so a mini-batch is one micro-batch here.
mini_batch_tokens_per_npu=$((PPO_MINI_BATCH_SIZE * ROLLOUT_N * sequence_length / (NNODES * NPUS_PER_NODE)))
tokens_per_npu=$(((sequence_length + SP_SIZE - 1) / SP_SIZE)) # one whole sequence over SP_SIZE NPUs, rounded up

# ------------------------------------------------------------------------------------------------------ NPU environment
# Ray workers inherit the environment of `ray start`, not of this script, so it is handed over by name.
ENVIRONMENT=(
    '+ray_kwargs.ray_init.runtime_env.env_vars.HCCL_CONNECT_TIMEOUT="7200"'
    '+ray_kwargs.ray_init.runtime_env.env_vars.HCCL_EXEC_TIMEOUT="14400"'
)

# ----------------------------------------------------------------------------------------------------------- parameters
DATA=(
    data.train_files="${TRAIN_FILE}"
    data.val_files="${TEST_FILE}"
    data.train_batch_size="${TRAIN_BATCH_SIZE}"
    data.max_prompt_length="${MAX_PROMPT_LENGTH}"
    data.max_response_length="${MAX_RESPONSE_LENGTH}"
    data.filter_overlong_prompts=True
)

ALGORITHM=(
    algorithm.adv_estimator=grpo
)

MODEL=(
    actor_rollout_ref.model.path="${MODEL_PATH}"
    # recipe-lint: ignore[gated-delta-net-packing] -- verl #5346 is open: see the known limits above
    actor_rollout_ref.model.use_remove_padding=True
    actor_rollout_ref.model.enable_activation_offload="${OFFLOAD}"
)

ACTOR=(
    actor_rollout_ref.actor.strategy=fsdp2
    actor_rollout_ref.actor.optim.lr="${LEARNING_RATE}"
    actor_rollout_ref.actor.ppo_mini_batch_size="${PPO_MINI_BATCH_SIZE}"
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu="${mini_batch_tokens_per_npu}"

    actor_rollout_ref.actor.use_kl_loss=True
    actor_rollout_ref.actor.kl_loss_coef=0.001
    actor_rollout_ref.actor.kl_loss_type=low_var_kl
    actor_rollout_ref.actor.clip_ratio_low=0.2
    actor_rollout_ref.actor.clip_ratio_high=0.28
    actor_rollout_ref.actor.clip_ratio_c=10.0

    actor_rollout_ref.actor.fsdp_config.ulysses_sequence_parallel_size="${SP_SIZE}"
    # recipe-lint: ignore[sixteen-bit-weights] -- as the source trains; see the known limits above
    actor_rollout_ref.actor.fsdp_config.model_dtype=bfloat16
    +actor_rollout_ref.actor.fsdp_config.mixed_precision.reduce_dtype=bf16
    actor_rollout_ref.actor.fsdp_config.param_offload="${OFFLOAD}"
    actor_rollout_ref.actor.fsdp_config.optimizer_offload="${OFFLOAD}"
    actor_rollout_ref.actor.fsdp_config.use_torch_compile=False
    actor_rollout_ref.actor.fsdp_config.entropy_from_logits_with_chunking=True
)

REF=(
    actor_rollout_ref.ref.log_prob_max_token_len_per_gpu="${tokens_per_npu}"
    actor_rollout_ref.ref.fsdp_config.ulysses_sequence_parallel_size="${SP_SIZE}"
    actor_rollout_ref.ref.fsdp_config.param_offload="${OFFLOAD}"
    actor_rollout_ref.ref.fsdp_config.use_torch_compile=False
)

ROLLOUT=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.n="${ROLLOUT_N}"
    actor_rollout_ref.rollout.tensor_model_parallel_size="${GEN_TP}"
    actor_rollout_ref.rollout.gpu_memory_utilization="${GPU_MEMORY_UTILIZATION}"
    actor_rollout_ref.rollout.max_num_seqs=256
    actor_rollout_ref.rollout.max_num_batched_tokens="${sequence_length}"
    actor_rollout_ref.rollout.load_format=auto
    actor_rollout_ref.rollout.enforce_eager=True
    actor_rollout_ref.rollout.calculate_log_probs=True
    actor_rollout_ref.rollout.log_prob_max_token_len_per_gpu="${tokens_per_npu}"

    actor_rollout_ref.rollout.val_kwargs.do_sample=True
    actor_rollout_ref.rollout.val_kwargs.temperature=1.0
    actor_rollout_ref.rollout.val_kwargs.top_p=0.7
)

TRAINER=(
    trainer.logger='["console"]'
    trainer.project_name="${PROJECT_NAME}"
    trainer.experiment_name="${EXPERIMENT_NAME}"
    trainer.default_local_dir="${CHECKPOINT_DIR}"
    trainer.device=npu
    trainer.nnodes="${NNODES}"
    trainer.n_gpus_per_node="${NPUS_PER_NODE}"
    trainer.total_epochs="${TOTAL_EPOCHS}"
    trainer.val_before_train=False
    trainer.test_freq="${TEST_FREQ}"
    trainer.save_freq="${SAVE_FREQ}"
    trainer.max_actor_ckpt_to_keep=2
)

OVERRIDES=(
    "${DATA[@]}" "${ALGORITHM[@]}" "${MODEL[@]}" "${ACTOR[@]}" "${REF[@]}" "${ROLLOUT[@]}" "${TRAINER[@]}"
    "${ENVIRONMENT[@]}" "$@"
)

# --------------------------------------------------------------------------------------------------------------- launch
if [[ ${DRY_RUN:-0} == 1 ]]; then
    printf 'python3 -m verl.trainer.main_ppo'
    printf ' \\\n    %q' "${OVERRIDES[@]}"
    printf '\n'
    exit 0
fi

stop() {
    printf '%s: %s\n' "$0" "$1" >&2
    exit 1
}
[[ -d ${MODEL_PATH} ]] || stop "no model folder at MODEL_PATH=${MODEL_PATH}"
[[ -f ${TRAIN_FILE} ]] || stop "no training data at TRAIN_FILE=${TRAIN_FILE}"
[[ -f ${TEST_FILE} ]] || stop "no test data at TEST_FILE=${TEST_FILE}"
command -v npu-smi > /dev/null || stop "no Ascend NPU here: npu-smi is not on PATH"
release="verl 0.9.0"
found=$(python3 -c 'import verl; print(verl.__version__)' 2> /dev/null) ||
    stop "python3 cannot import verl: install ${release}"
found="verl ${found##*$'\n'}"
[[ ${found} == "${release}" ]] || printf '%s: this is for %s, and here is %s\n' "$0" "${release}" "${found}" >&2

mkdir -p "${LOG_DIR}" 2> /dev/null || stop "no log folder can be made at LOG_DIR=${LOG_DIR}"
# -i: at Ctrl-C tee stays until Python has ended its workers and said so
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}" 2>&1 | tee -ai "${LOG_DIR}/${EXPERIMENT_NAME}.log"
