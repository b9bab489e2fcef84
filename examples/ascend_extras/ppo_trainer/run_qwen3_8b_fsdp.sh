#!/usr/bin/env bash
# PPO of Qwen3-8B on GSM8K: FSDP training of actor and critic, vLLM rollout.
#
# Hardware:  1 node with 8 NPUs (Atlas A2)
# Software:  verl 0.9.1, CANN 9.1.0, torch_npu 2.10.0, vllm-ascend 0.23.0
# Memory:    GiB expected of 61.0 on each NPU: init 55, update_weights 55, generate 55, old_log_prob 38,
#            update_critic 29, update_actor 30, save 8; on each host: 405
# NPU-hours: per step unknown
# Sources:   examples/ascend_extras/ppo_trainer/run_qwen3_8b_fsdp.sh of verl at 1dda039b9
#
# Where this differs from the source, and why:
# - The source pipes into tee without pipefail, so a crash ends with status 0, and it takes no overrides.
# - critic.ulysses_sequence_parallel_size reaches no engine since 0.8.0; critic.fsdp.ulysses_sequence_parallel_size
#   does.
# - critic.ppo_micro_batch_size_per_gpu and critic.use_dynamic_bsz reach no engine since 0.8.0: the critic packs up to
#   critic.ppo_infer_max_token_len_per_gpu tokens, 32768 unless said otherwise. It is said here, at the same value.
# - gpu_memory_utilization is 0.85, not 0.9: trainer and communicators hold some GiB beside the rollout.
# - use_torch_compile and the Ulysses size of the actor stand below fsdp_config, where the engine reads them.
# - Micro batch sizes are gone (use_dynamic_bsz ignores them), and keys that repeat a default or have no effect.
#
# Try it:    DRY_RUN=1 bash run_qwen3_8b_fsdp.sh        prints the command, starts nothing
# Change it: GPU_MEMORY_UTILIZATION=0.7 bash run_qwen3_8b_fsdp.sh trainer.total_training_steps=30
#
# recipe-lint: device=ascend-a2 release=0.9.1
set -euo pipefail

# ------------------------------------------------------------------------------------------------------ user-adjustable
NNODES=${NNODES:-1}
NPUS_PER_NODE=${NPUS_PER_NODE:-8}

WORK_DIR=${WORK_DIR:-${HOME}/verl}
MODEL_PATH=${MODEL_PATH:-${WORK_DIR}/models/Qwen3-8B}
TRAIN_FILE=${TRAIN_FILE:-${WORK_DIR}/data/gsm8k/train.parquet}
TEST_FILE=${TEST_FILE:-${WORK_DIR}/data/gsm8k/test.parquet}
PROJECT_NAME=${PROJECT_NAME:-verl_ppo_qwen3_8b}
EXPERIMENT_NAME=${EXPERIMENT_NAME:-qwen3_8b_fsdp}
CHECKPOINT_DIR=${CHECKPOINT_DIR:-${WORK_DIR}/checkpoints/${PROJECT_NAME}/${EXPERIMENT_NAME}}
LOG_DIR=${LOG_DIR:-logs}

TRAIN_BATCH_SIZE=${TRAIN_BATCH_SIZE:-64}       # prompts per step
PPO_MINI_BATCH_SIZE=${PPO_MINI_BATCH_SIZE:-64} # prompts per optimizer step
MAX_PROMPT_LENGTH=${MAX_PROMPT_LENGTH:-2000}
MAX_RESPONSE_LENGTH=${MAX_RESPONSE_LENGTH:-2000}
ACTOR_LEARNING_RATE=${ACTOR_LEARNING_RATE:-1e-6}
CRITIC_LEARNING_RATE=${CRITIC_LEARNING_RATE:-1e-5}

SP_SIZE=${SP_SIZE:-2}                                  # Ulysses sequence parallel size of training
GEN_TP=${GEN_TP:-1}                                    # tensor parallel size of rollout
GPU_MEMORY_UTILIZATION=${GPU_MEMORY_UTILIZATION:-0.85} # share of an NPU that rollout may take
OFFLOAD=${OFFLOAD:-True}                               # parameters and optimizers wait in host memory
CRITIC_TOKENS_PER_NPU=${CRITIC_TOKENS_PER_NPU:-32768}  # most tokens in one forward pass of the critic

TOTAL_EPOCHS=${TOTAL_EPOCHS:-30}
TOTAL_TRAINING_STEPS=${TOTAL_TRAINING_STEPS:-15}
SAVE_FREQ=${SAVE_FREQ:--1} # -1 saves nothing; set it for a run that is to be kept
TEST_FREQ=${TEST_FREQ:--1}

# -------------------------------------------------------------------------------------------------------------- derived
sequence_length=$((MAX_PROMPT_LENGTH + MAX_RESPONSE_LENGTH))

# ------------------------------------------------------------------------------------------------------ NPU environment
# Ray workers inherit the environment of `ray start`, not of this script, so it is handed over by name.
ENVIRONMENT=(
    '+ray_kwargs.ray_init.runtime_env.env_vars.HCCL_CONNECT_TIMEOUT="3600"'
    '+ray_kwargs.ray_init.runtime_env.env_vars.HCCL_EXEC_TIMEOUT="3600"'
)

# ----------------------------------------------------------------------------------------------------------- parameters
DATA=(
    data.train_files="${TRAIN_FILE}"
    data.val_files="${TEST_FILE}"
    data.train_batch_size="${TRAIN_BATCH_SIZE}"
    data.max_prompt_length="${MAX_PROMPT_LENGTH}"
    data.max_response_length="${MAX_RESPONSE_LENGTH}"
    data.filter_overlong_prompts=True
    data.shuffle=False
)

ALGORITHM=(
    algorithm.adv_estimator=gae
)

MODEL=(
    actor_rollout_ref.model.path="${MODEL_PATH}"
    actor_rollout_ref.model.use_remove_padding=True
)

ACTOR=(
    actor_rollout_ref.actor.strategy=fsdp
    actor_rollout_ref.actor.optim.lr="${ACTOR_LEARNING_RATE}"
    actor_rollout_ref.actor.ppo_mini_batch_size="${PPO_MINI_BATCH_SIZE}"
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.fsdp_config.ulysses_sequence_parallel_size="${SP_SIZE}"
    actor_rollout_ref.actor.fsdp_config.param_offload="${OFFLOAD}"
    actor_rollout_ref.actor.fsdp_config.optimizer_offload="${OFFLOAD}"
    actor_rollout_ref.actor.fsdp_config.use_torch_compile=False
)

CRITIC=(
    critic.strategy=fsdp
    critic.model.path="${MODEL_PATH}"
    critic.optim.lr="${CRITIC_LEARNING_RATE}"
    +critic.ppo_infer_max_token_len_per_gpu="${CRITIC_TOKENS_PER_NPU}"
    critic.fsdp.ulysses_sequence_parallel_size="${SP_SIZE}"
    critic.fsdp.param_offload="${OFFLOAD}"
    critic.fsdp.optimizer_offload="${OFFLOAD}"
)

ROLLOUT=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.tensor_model_parallel_size="${GEN_TP}"
    actor_rollout_ref.rollout.gpu_memory_utilization="${GPU_MEMORY_UTILIZATION}"
    actor_rollout_ref.rollout.max_num_batched_tokens="${sequence_length}"
    actor_rollout_ref.rollout.max_num_seqs=64
    actor_rollout_ref.rollout.calculate_log_probs=False
    +actor_rollout_ref.rollout.engine_kwargs.vllm.compilation_config.cudagraph_mode=FULL_DECODE_ONLY
    actor_rollout_ref.rollout.checkpoint_engine.update_weights_bucket_megabytes=4096
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
    trainer.total_training_steps="${TOTAL_TRAINING_STEPS}"
    trainer.val_before_train=False
    trainer.test_freq="${TEST_FREQ}"
    trainer.save_freq="${SAVE_FREQ}"
    trainer.max_actor_ckpt_to_keep=2
    trainer.max_critic_ckpt_to_keep=2
)

OVERRIDES=(
    "${DATA[@]}" "${ALGORITHM[@]}" "${MODEL[@]}" "${ACTOR[@]}" "${CRITIC[@]}" "${ROLLOUT[@]}" "${TRAINER[@]}"
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
