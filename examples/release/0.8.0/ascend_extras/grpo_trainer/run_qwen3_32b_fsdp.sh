#!/usr/bin/env bash
# GRPO of Qwen3-32B on GSM8K: FSDP training, vLLM rollout.
#
# Hardware:  4 nodes with 8 NPUs each (Atlas A2)
# Software:  verl 0.8.0, CANN 9.0.0, torch_npu 2.9.0.post2, vllm-ascend 0.18.0
# Memory:    GiB expected of 61.0 on each NPU: init 47, update_weights 51, generate 54, old_log_prob 30,
#            ref_log_prob 19, update_actor 31, save 16; on each host: 283
# NPU-hours: per step unknown
# Sources:   examples/ascend_extras/grpo_trainer/run_qwen3_32b_fsdp.sh of verl at 1dda039b9
#
# Where this differs from the source, and why:
# - The source runs without strict mode and passes $@ unquoted; a failed step is not noticed, an override with a blank
#   is split.
# - trainer.resume_from_path=checkpoints/ is ignored while resume_mode is auto, and would be refused otherwise.
# - trainer.save_freq is 50, not 500: fifty epochs of GSM8K are 350 steps, so the source saves nothing before the end.
# - use_torch_compile and the Ulysses size stand below fsdp_config, where the engine reads them in every release since
#   0.8.0; the reference model would not follow the Ulysses size of the actor from there, so it is given to both.
# - The last two checkpoints are kept; the source keeps all of them.
# - data.truncation is read by nothing. Keys that repeat a default are gone.
#
# Several nodes: start Ray on all of them with ascend_extras/launch_ray_cluster.sh, then run this on the head node.
# Try it:    DRY_RUN=1 bash run_qwen3_32b_fsdp.sh        prints the command, starts nothing
# Change it: GEN_TP=8 bash run_qwen3_32b_fsdp.sh trainer.total_epochs=2
#
# recipe-lint: device=ascend-a2 release=0.8.0
# recipe-lint: copy-of=c24479318081
set -euo pipefail

# ------------------------------------------------------------------------------------------------------ user-adjustable
NNODES=${NNODES:-4}
NPUS_PER_NODE=${NPUS_PER_NODE:-8}

WORK_DIR=${WORK_DIR:-${HOME}/verl}
MODEL_PATH=${MODEL_PATH:-${WORK_DIR}/models/Qwen3-32B}
TRAIN_FILE=${TRAIN_FILE:-${WORK_DIR}/data/gsm8k/train.parquet}
TEST_FILE=${TEST_FILE:-${WORK_DIR}/data/gsm8k/test.parquet}
PROJECT_NAME=${PROJECT_NAME:-verl_grpo_qwen3_32b}
EXPERIMENT_NAME=${EXPERIMENT_NAME:-qwen3_32b_fsdp}
CHECKPOINT_DIR=${CHECKPOINT_DIR:-${WORK_DIR}/checkpoints/${PROJECT_NAME}/${EXPERIMENT_NAME}}
LOG_DIR=${LOG_DIR:-logs}

TRAIN_BATCH_SIZE=${TRAIN_BATCH_SIZE:-1024}     # prompts per step
PPO_MINI_BATCH_SIZE=${PPO_MINI_BATCH_SIZE:-64} # prompts per optimizer step
MICRO_BATCH_SIZE=${MICRO_BATCH_SIZE:-8}        # responses per forward pass of SP_SIZE NPUs
ROLLOUT_N=${ROLLOUT_N:-4}                      # responses per prompt
MAX_PROMPT_LENGTH=${MAX_PROMPT_LENGTH:-2048}
MAX_RESPONSE_LENGTH=${MAX_RESPONSE_LENGTH:-2048}
LEARNING_RATE=${LEARNING_RATE:-1e-6}

SP_SIZE=${SP_SIZE:-4}                                 # Ulysses sequence parallel size of training
GEN_TP=${GEN_TP:-4}                                   # tensor parallel size of rollout
GPU_MEMORY_UTILIZATION=${GPU_MEMORY_UTILIZATION:-0.7} # share of an NPU that rollout may take

TOTAL_EPOCHS=${TOTAL_EPOCHS:-50}
SAVE_FREQ=${SAVE_FREQ:-50}
TEST_FREQ=${TEST_FREQ:-50}

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
    algorithm.adv_estimator=grpo
)

MODEL=(
    actor_rollout_ref.model.path="${MODEL_PATH}"
    actor_rollout_ref.model.use_remove_padding=True
)

ACTOR=(
    actor_rollout_ref.actor.strategy=fsdp
    actor_rollout_ref.actor.optim.lr="${LEARNING_RATE}"
    actor_rollout_ref.actor.ppo_mini_batch_size="${PPO_MINI_BATCH_SIZE}"
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu="${MICRO_BATCH_SIZE}"

    actor_rollout_ref.actor.use_kl_loss=True
    actor_rollout_ref.actor.kl_loss_coef=0.001
    actor_rollout_ref.actor.kl_loss_type=low_var_kl

    actor_rollout_ref.actor.fsdp_config.ulysses_sequence_parallel_size="${SP_SIZE}"
    +actor_rollout_ref.actor.fsdp_config.mixed_precision.param_dtype=bf16
    +actor_rollout_ref.actor.fsdp_config.mixed_precision.reduce_dtype=bf16
    +actor_rollout_ref.actor.fsdp_config.mixed_precision.buffer_dtype=fp32
    actor_rollout_ref.actor.fsdp_config.param_offload=True
    actor_rollout_ref.actor.fsdp_config.optimizer_offload=False
    actor_rollout_ref.actor.fsdp_config.use_torch_compile=False
)

REF=(
    actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu="${MICRO_BATCH_SIZE}"
    actor_rollout_ref.ref.fsdp_config.ulysses_sequence_parallel_size="${SP_SIZE}"
    actor_rollout_ref.ref.fsdp_config.param_offload=True
    actor_rollout_ref.ref.fsdp_config.use_torch_compile=False
)

ROLLOUT=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.n="${ROLLOUT_N}"
    actor_rollout_ref.rollout.tensor_model_parallel_size="${GEN_TP}"
    actor_rollout_ref.rollout.gpu_memory_utilization="${GPU_MEMORY_UTILIZATION}"
    actor_rollout_ref.rollout.max_num_seqs=256
    actor_rollout_ref.rollout.max_num_batched_tokens=32768
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu="${MICRO_BATCH_SIZE}"
    actor_rollout_ref.rollout.checkpoint_engine.update_weights_bucket_megabytes=4096
)

TRAINER=(
    trainer.logger='["console","tensorboard"]'
    trainer.project_name="${PROJECT_NAME}"
    trainer.experiment_name="${EXPERIMENT_NAME}"
    trainer.default_local_dir="${CHECKPOINT_DIR}"
    trainer.device=npu
    trainer.nnodes="${NNODES}"
    trainer.n_gpus_per_node="${NPUS_PER_NODE}"
    trainer.total_epochs="${TOTAL_EPOCHS}"
    trainer.val_before_train=True
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
release="verl 0.8.0"
found=$(python3 -c 'import verl; print(verl.__version__)' 2> /dev/null) ||
    stop "python3 cannot import verl: install ${release}"
found="verl ${found##*$'\n'}"
[[ ${found} == "${release}" ]] || printf '%s: this is for %s, and here is %s\n' "$0" "${release}" "${found}" >&2

mkdir -p "${LOG_DIR}" 2> /dev/null || stop "no log folder can be made at LOG_DIR=${LOG_DIR}"
# -i: at Ctrl-C tee stays until Python has ended its workers and said so
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}" 2>&1 | tee -ai "${LOG_DIR}/${EXPERIMENT_NAME}.log"
