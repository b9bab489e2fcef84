#!/usr/bin/env bash
# GRPO of Qwen3-30B-A3B on DAPO-Math-17k: Megatron training, SGLang rollout.
#
# Hardware:  1 node with 16 NPUs (Atlas A3)
# Software:  verl 0.9.0, CANN 8.5.0, torch_npu 2.8.0.post2, SGLang 0.5.10, MindSpeed and Megatron-LM core_r0.16.0,
#            mbridge
# Memory:    GiB expected of 61.3 on each NPU: init 35, update_weights 31, generate 35, old_log_prob 13,
#            ref_log_prob 11, update_actor 42, save 9; on each host: 673
# NPU-hours: per step unknown
# Sources:   examples/ascend_extras/grpo_trainer/run_qwen3_30b_a3b_megatron.sh of verl at 1dda039b9;
#            docker/ascend/Dockerfile.ascend.sglang_8.5.0_a3 of verl for the versions
#
# Where this differs from the source, and why:
# - megatron.grad_offload was removed in 0.9.1, where param_offload frees the gradient buffers too: the source does
#   not start there.
# - The bridge loads the Hugging Face folder, so no Megatron copy of the weights (dist_checkpointing_path) is needed.
# - megatron.vanilla_mbridge=True: the Ascend images hold mbridge, not Megatron-Bridge, which is the default since
#   0.9.0.
# - HCCL_HOST_SOCKET_PORT_RANGE and HCCL_NPU_SOCKET_PORT_RANGE are left to verl, which sets both to auto for the
#   processes that share an NPU, unless they are exported.
# - The profiler block is gone: with global_profiler.steps=null it records nothing.
# - trainer.save_freq is 20, not -1, and the last two checkpoints are kept; the source saves nothing.
# - data.truncation is read by nothing; prompts that are too long are filtered out instead of cut silently.
# - Token budgets are gone (they count only with use_dynamic_bsz), use_torch_compile (Megatron does not read it),
#   kl_coef (no KL term in the reward), the sizes of the reference model (they follow the actor), and keys that repeat
#   a default.
#
# Try it:    DRY_RUN=1 bash run_qwen3_30b_a3b_megatron.sh        prints the command, starts nothing
# Change it: GPU_MEMORY_UTILIZATION=0.6 bash run_qwen3_30b_a3b_megatron.sh trainer.total_epochs=2
#
# recipe-lint: device=ascend-a3 release=0.9.0
# recipe-lint: copy-of=76d097d32d6a
set -euo pipefail

# ------------------------------------------------------------------------------------------------------ user-adjustable
NNODES=${NNODES:-1}
NPUS_PER_NODE=${NPUS_PER_NODE:-16}

WORK_DIR=${WORK_DIR:-${HOME}/verl}
MODEL_PATH=${MODEL_PATH:-${WORK_DIR}/models/Qwen3-30B-A3B}
TRAIN_FILE=${TRAIN_FILE:-${WORK_DIR}/data/dapo-math-17k/train.parquet}
TEST_FILE=${TEST_FILE:-${WORK_DIR}/data/aime-2024/test.parquet}
PROJECT_NAME=${PROJECT_NAME:-verl_grpo_qwen3_30b_a3b}
EXPERIMENT_NAME=${EXPERIMENT_NAME:-qwen3_30b_a3b_megatron}
CHECKPOINT_DIR=${CHECKPOINT_DIR:-${WORK_DIR}/checkpoints/${PROJECT_NAME}/${EXPERIMENT_NAME}}
LOG_DIR=${LOG_DIR:-logs}

TRAIN_BATCH_SIZE=${TRAIN_BATCH_SIZE:-16}       # prompts per step
PPO_MINI_BATCH_SIZE=${PPO_MINI_BATCH_SIZE:-16} # prompts per optimizer step
ROLLOUT_N=${ROLLOUT_N:-8}                      # responses per prompt
MAX_PROMPT_LENGTH=${MAX_PROMPT_LENGTH:-2048}
MAX_RESPONSE_LENGTH=${MAX_RESPONSE_LENGTH:-8192}
LEARNING_RATE=${LEARNING_RATE:-1e-6}

TRAIN_TP=${TRAIN_TP:-4} # tensor, pipeline, expert and expert tensor parallel sizes of training
TRAIN_PP=${TRAIN_PP:-1}
TRAIN_EP=${TRAIN_EP:-4}
TRAIN_ETP=${TRAIN_ETP:-4}
GEN_TP=${GEN_TP:-4}                                   # tensor parallel size of rollout
GPU_MEMORY_UTILIZATION=${GPU_MEMORY_UTILIZATION:-0.5} # share of an NPU that rollout may take
OFFLOAD=${OFFLOAD:-True}                              # parameters and optimizer wait in host memory

TOTAL_EPOCHS=${TOTAL_EPOCHS:-15}
SAVE_FREQ=${SAVE_FREQ:-20}
TEST_FREQ=${TEST_FREQ:--1}

# ------------------------------------------------------------------------------------------------------ NPU environment
# Ray workers inherit the environment of `ray start`, not of this script, so it is handed over by name.
ENVIRONMENT=(
    '+ray_kwargs.ray_init.runtime_env.env_vars.HCCL_CONNECT_TIMEOUT="1500"'
    '+ray_kwargs.ray_init.runtime_env.env_vars.TASK_QUEUE_ENABLE="1"'
    '+ray_kwargs.ray_init.runtime_env.env_vars.DISABLE_L2_CACHE="1"'
    '+ray_kwargs.ray_init.runtime_env.env_vars.RAY_EXPERIMENTAL_NOSET_ASCEND_RT_VISIBLE_DEVICES="1"'
    '+ray_kwargs.ray_init.runtime_env.env_vars.ASCEND_RT_VISIBLE_DEVICES="0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"'
)

# ----------------------------------------------------------------------------------------------------------- parameters
ENGINE=(
    model_engine=megatron
)

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
    actor_rollout_ref.actor.optim.lr="${LEARNING_RATE}"
    actor_rollout_ref.actor.ppo_mini_batch_size="${PPO_MINI_BATCH_SIZE}"
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1
    actor_rollout_ref.actor.use_kl_loss=True
    actor_rollout_ref.actor.kl_loss_coef=0.001

    actor_rollout_ref.actor.megatron.tensor_model_parallel_size="${TRAIN_TP}"
    actor_rollout_ref.actor.megatron.pipeline_model_parallel_size="${TRAIN_PP}"
    actor_rollout_ref.actor.megatron.expert_model_parallel_size="${TRAIN_EP}"
    actor_rollout_ref.actor.megatron.expert_tensor_parallel_size="${TRAIN_ETP}"
    actor_rollout_ref.actor.megatron.param_offload="${OFFLOAD}"
    actor_rollout_ref.actor.megatron.optimizer_offload="${OFFLOAD}"
    actor_rollout_ref.actor.megatron.grad_offload="${OFFLOAD}"
    actor_rollout_ref.actor.megatron.vanilla_mbridge=True
    actor_rollout_ref.actor.megatron.override_transformer_config.recompute_granularity=full
    actor_rollout_ref.actor.megatron.override_transformer_config.recompute_method=uniform
    actor_rollout_ref.actor.megatron.override_transformer_config.recompute_num_layers=1
    +actor_rollout_ref.actor.megatron.override_transformer_config.use_flash_attn=True
)

REF=(
    actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=1
    actor_rollout_ref.ref.megatron.param_offload="${OFFLOAD}"
)

ROLLOUT=(
    actor_rollout_ref.rollout.name=sglang
    actor_rollout_ref.rollout.n="${ROLLOUT_N}"
    actor_rollout_ref.rollout.tensor_model_parallel_size="${GEN_TP}"
    actor_rollout_ref.rollout.gpu_memory_utilization="${GPU_MEMORY_UTILIZATION}"
    actor_rollout_ref.rollout.max_num_seqs=256
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=1
    +actor_rollout_ref.rollout.engine_kwargs.sglang.attention_backend=ascend
    +actor_rollout_ref.rollout.engine_kwargs.sglang.chunked_prefill_size=-1

    actor_rollout_ref.rollout.val_kwargs.do_sample=True
    actor_rollout_ref.rollout.val_kwargs.temperature=1.0
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
    "${ENGINE[@]}" "${DATA[@]}" "${ALGORITHM[@]}" "${MODEL[@]}" "${ACTOR[@]}" "${REF[@]}" "${ROLLOUT[@]}"
    "${TRAINER[@]}" "${ENVIRONMENT[@]}" "$@"
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
