#!/usr/bin/env bash
# GSPO of Qwen3-32B on DAPO-Math-17k: FSDP2 training, vLLM rollout.
#
# Hardware:  4 nodes with 16 NPUs each (Atlas A3, 64 dies)
# Software:  verl 0.9.1, CANN 9.1.0, torch_npu 2.10.0, vllm-ascend 0.23.0
# Memory:    GiB expected of 61.3 on each NPU: init 46, update_weights 44, generate 46, old_log_prob 15,
#            update_actor 22, save 6; on each host: 536
# NPU-hours: per step unknown
# Sources:   examples/ascend_extras/gspo_trainer/run_qwen3_32b_fsdp.sh of verl at 1dda039b9;
#            docs/ascend_tutorial/model_support/examples/gspo_optimization_practice.md of verl
#
# Where this differs from the source, and why:
# - Exports that vllm-ascend 0.23 does not read are gone: VLLM_USE_V1, VLLM_ATTENTION_BACKEND,
#   VLLM_ASCEND_ENABLE_PREFETCH_MLP, VLLM_ASCEND_ENABLE_DENSE_OPTIMIZE. VLLM_ASCEND_ENABLE_FLASHCOMM is now
#   VLLM_ASCEND_ENABLE_FLASHCOMM1.
# - The log holds standard error too; in the source tracebacks are missing from it.
# - actor.grad_clip is read by nothing since 0.8.0; optim.clip_grad is, and its default is the same 1.0.
# - No loss term needs a reference model, so none is built and its keys are gone.
# - use_torch_compile and the entropy key stand below fsdp_config, where the engine reads them in every release since
#   0.8.0.
# - trainer.save_freq is 20, not -1, and the last two checkpoints are kept; the source saves nothing.
# - data.truncation is read by nothing; prompts that are too long are filtered out instead of cut silently.
# - entropy_checkpointing (the loss has no entropy term), forward_prefetch (FSDP1 only) and keys that repeat a default
#   are gone.
#
# Several nodes: start Ray on all of them with ascend_extras/launch_ray_cluster.sh, then run this on the head node.
# Try it:    DRY_RUN=1 bash run_qwen3_32b_fsdp.sh        prints the command, starts nothing
# Change it: GEN_TP=8 bash run_qwen3_32b_fsdp.sh trainer.total_epochs=2
#
# recipe-lint: device=ascend-a3 release=0.9.1
set -euo pipefail

# ------------------------------------------------------------------------------------------------------ user-adjustable
NNODES=${NNODES:-4}
NPUS_PER_NODE=${NPUS_PER_NODE:-16}

WORK_DIR=${WORK_DIR:-${HOME}/verl}
MODEL_PATH=${MODEL_PATH:-${WORK_DIR}/models/Qwen3-32B}
TRAIN_FILE=${TRAIN_FILE:-${WORK_DIR}/data/dapo-math-17k/train.parquet}
TEST_FILE=${TEST_FILE:-${WORK_DIR}/data/aime-2024/test.parquet}
PROJECT_NAME=${PROJECT_NAME:-verl_gspo_qwen3_32b}
EXPERIMENT_NAME=${EXPERIMENT_NAME:-qwen3_32b_fsdp}
CHECKPOINT_DIR=${CHECKPOINT_DIR:-${WORK_DIR}/checkpoints/${PROJECT_NAME}/${EXPERIMENT_NAME}}
LOG_DIR=${LOG_DIR:-logs}

TRAIN_BATCH_SIZE=${TRAIN_BATCH_SIZE:-256}      # prompts per step
PPO_MINI_BATCH_SIZE=${PPO_MINI_BATCH_SIZE:-64} # prompts per optimizer step
ROLLOUT_N=${ROLLOUT_N:-16}                     # responses per prompt
MAX_PROMPT_LENGTH=${MAX_PROMPT_LENGTH:-2048}
MAX_RESPONSE_LENGTH=${MAX_RESPONSE_LENGTH:-8192}
LEARNING_RATE=${LEARNING_RATE:-1e-6}
CLIP_RATIO_LOW=${CLIP_RATIO_LOW:-3e-4} # GSPO clips the ratio of whole sequences, which stays close to 1
CLIP_RATIO_HIGH=${CLIP_RATIO_HIGH:-4e-4}

SP_SIZE=${SP_SIZE:-4}                                 # Ulysses sequence parallel size of training
GEN_TP=${GEN_TP:-4}                                   # tensor parallel size of rollout
GPU_MEMORY_UTILIZATION=${GPU_MEMORY_UTILIZATION:-0.7} # share of an NPU that rollout may take
OFFLOAD=${OFFLOAD:-True}                              # parameters and optimizer wait in host memory

TOTAL_EPOCHS=${TOTAL_EPOCHS:-10}
SAVE_FREQ=${SAVE_FREQ:-20}
TEST_FREQ=${TEST_FREQ:--1}

# -------------------------------------------------------------------------------------------------------------- derived
sequence_length=$((MAX_PROMPT_LENGTH + MAX_RESPONSE_LENGTH))
tokens_per_npu=$(((sequence_length + SP_SIZE - 1) / SP_SIZE)) # one whole sequence over SP_SIZE NPUs, rounded up

# ------------------------------------------------------------------------------------------------------ NPU environment
# Ray workers inherit the environment of `ray start`, not of this script, so it is handed over by name.
ENVIRONMENT=(
    '+ray_kwargs.ray_init.runtime_env.env_vars.HCCL_CONNECT_TIMEOUT="3600"'
    '+ray_kwargs.ray_init.runtime_env.env_vars.HCCL_EXEC_TIMEOUT="3600"'
    '+ray_kwargs.ray_init.runtime_env.env_vars.HCCL_ASYNC_ERROR_HANDLING="0"'
    '+ray_kwargs.ray_init.runtime_env.env_vars.TASK_QUEUE_ENABLE="1"'
    '+ray_kwargs.ray_init.runtime_env.env_vars.CPU_AFFINITY_CONF="1"'
    '+ray_kwargs.ray_init.runtime_env.env_vars.VLLM_ASCEND_ENABLE_FLASHCOMM1="1"'
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
    actor_rollout_ref.model.use_remove_padding=True
)

ACTOR=(
    actor_rollout_ref.actor.strategy=fsdp2
    actor_rollout_ref.actor.optim.lr="${LEARNING_RATE}"
    actor_rollout_ref.actor.optim.lr_warmup_steps=10
    actor_rollout_ref.actor.optim.weight_decay=0.1
    actor_rollout_ref.actor.ppo_mini_batch_size="${PPO_MINI_BATCH_SIZE}"
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu="${tokens_per_npu}"

    actor_rollout_ref.actor.policy_loss.loss_mode=gspo
    actor_rollout_ref.actor.loss_agg_mode=seq-mean-token-mean
    actor_rollout_ref.actor.clip_ratio_low="${CLIP_RATIO_LOW}"
    actor_rollout_ref.actor.clip_ratio_high="${CLIP_RATIO_HIGH}"
    actor_rollout_ref.actor.clip_ratio_c=10.0

    actor_rollout_ref.actor.fsdp_config.ulysses_sequence_parallel_size="${SP_SIZE}"
    actor_rollout_ref.actor.fsdp_config.param_offload="${OFFLOAD}"
    actor_rollout_ref.actor.fsdp_config.optimizer_offload="${OFFLOAD}"
    actor_rollout_ref.actor.fsdp_config.use_torch_compile=False
    actor_rollout_ref.actor.fsdp_config.entropy_from_logits_with_chunking=True
)

ROLLOUT=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.n="${ROLLOUT_N}"
    actor_rollout_ref.rollout.tensor_model_parallel_size="${GEN_TP}"
    actor_rollout_ref.rollout.gpu_memory_utilization="${GPU_MEMORY_UTILIZATION}"
    actor_rollout_ref.rollout.max_num_seqs=256
    actor_rollout_ref.rollout.max_num_batched_tokens="${sequence_length}"
    actor_rollout_ref.rollout.calculate_log_probs=True
    actor_rollout_ref.rollout.log_prob_max_token_len_per_gpu="${tokens_per_npu}"
    +actor_rollout_ref.rollout.engine_kwargs.vllm.compilation_config.cudagraph_mode=FULL_DECODE_ONLY
    +actor_rollout_ref.rollout.engine_kwargs.vllm.compilation_config.cudagraph_capture_sizes='[8,16,32,64,128,192,256]'
    actor_rollout_ref.rollout.checkpoint_engine.update_weights_bucket_megabytes=4096

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
    "${DATA[@]}" "${ALGORITHM[@]}" "${MODEL[@]}" "${ACTOR[@]}" "${ROLLOUT[@]}" "${TRAINER[@]}"
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
release="verl 0.9.1"
found=$(python3 -c 'import verl; print(verl.__version__)' 2> /dev/null) ||
    stop "python3 cannot import verl: install ${release}"
found="verl ${found##*$'\n'}"
[[ ${found} == "${release}" ]] || printf '%s: this is for %s, and here is %s\n' "$0" "${release}" "${found}" >&2

mkdir -p "${LOG_DIR}" 2> /dev/null || stop "no log folder can be made at LOG_DIR=${LOG_DIR}"
# -i: at Ctrl-C tee stays until Python has ended its workers and said so
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}" 2>&1 | tee -ai "${LOG_DIR}/${EXPERIMENT_NAME}.log"
