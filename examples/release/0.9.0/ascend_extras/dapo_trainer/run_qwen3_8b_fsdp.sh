#!/usr/bin/env bash
# DAPO of Qwen3-8B on DAPO-Math-17k: FSDP2 training, vLLM rollout.
#
# Hardware:  1 node with 8 NPUs (Atlas A2)
# Software:  verl 0.9.0, CANN 9.1.0, torch_npu 2.10.0, vllm-ascend 0.23.0
# Memory:    GiB expected of 61.0 on each NPU: init 39, update_weights 38, generate 39, old_log_prob 19,
#            update_actor 53, save 8; on each host: 253
# NPU-hours: per step unknown
# Sources:   written for this suite; the four ideas and their values from DAPO (arXiv 2503.14476): clip higher (0.28),
#            no KL term, loss averaged over tokens, overlong penalty, groups without a difference in accuracy replaced
#
# algorithm.filter_groups is part of verl.trainer.main_ppo since 0.9.0.
#
# Try it:    DRY_RUN=1 bash run_qwen3_8b_fsdp.sh        prints the command, starts nothing
# Change it: OVERLONG_BUFFER=2048 bash run_qwen3_8b_fsdp.sh trainer.total_epochs=2
#
# recipe-lint: device=ascend-a2 release=0.9.0
# recipe-lint: copy-of=89e285fe23c0
set -euo pipefail

# ------------------------------------------------------------------------------------------------------ user-adjustable
NNODES=${NNODES:-1}
NPUS_PER_NODE=${NPUS_PER_NODE:-8}

WORK_DIR=${WORK_DIR:-${HOME}/verl}
MODEL_PATH=${MODEL_PATH:-${WORK_DIR}/models/Qwen3-8B}
TRAIN_FILE=${TRAIN_FILE:-${WORK_DIR}/data/dapo-math-17k/train.parquet}
TEST_FILE=${TEST_FILE:-${WORK_DIR}/data/aime-2024/test.parquet}
PROJECT_NAME=${PROJECT_NAME:-verl_dapo_qwen3_8b}
EXPERIMENT_NAME=${EXPERIMENT_NAME:-qwen3_8b_fsdp}
CHECKPOINT_DIR=${CHECKPOINT_DIR:-${WORK_DIR}/checkpoints/${PROJECT_NAME}/${EXPERIMENT_NAME}}
LOG_DIR=${LOG_DIR:-logs}

TRAIN_BATCH_SIZE=${TRAIN_BATCH_SIZE:-32}       # prompts per step
PPO_MINI_BATCH_SIZE=${PPO_MINI_BATCH_SIZE:-16} # prompts per optimizer step
ROLLOUT_N=${ROLLOUT_N:-8}                      # responses per prompt
MAX_PROMPT_LENGTH=${MAX_PROMPT_LENGTH:-2048}
MAX_RESPONSE_LENGTH=${MAX_RESPONSE_LENGTH:-8192}
OVERLONG_BUFFER=${OVERLONG_BUFFER:-1024} # the reward sinks over the last tokens of a response that is too long
LEARNING_RATE=${LEARNING_RATE:-1e-6}

SP_SIZE=${SP_SIZE:-2}                                 # Ulysses sequence parallel size of training
GEN_TP=${GEN_TP:-2}                                   # tensor parallel size of rollout
GPU_MEMORY_UTILIZATION=${GPU_MEMORY_UTILIZATION:-0.6} # share of an NPU that rollout may take
OFFLOAD=${OFFLOAD:-True}                              # parameters and optimizer wait in host memory

TOTAL_EPOCHS=${TOTAL_EPOCHS:-1}
SAVE_FREQ=${SAVE_FREQ:-20}
TEST_FREQ=${TEST_FREQ:-20}

# -------------------------------------------------------------------------------------------------------------- derived
sequence_length=$((MAX_PROMPT_LENGTH + MAX_RESPONSE_LENGTH))
tokens_per_npu=$(((sequence_length + SP_SIZE - 1) / SP_SIZE)) # one whole sequence over SP_SIZE NPUs, rounded up

# ------------------------------------------------------------------------------------------------------ NPU environment
# Ray workers inherit the environment of `ray start`, not of this script, so it is handed over by name.
ENVIRONMENT=(
    '+ray_kwargs.ray_init.runtime_env.env_vars.HCCL_CONNECT_TIMEOUT="3600"'
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
    algorithm.filter_groups.enable=True
    algorithm.filter_groups.metric=acc
)

REWARD=(
    reward.reward_manager.name=dapo
    +reward.reward_kwargs.max_resp_len="${MAX_RESPONSE_LENGTH}"
    +reward.reward_kwargs.overlong_buffer_cfg.enable=True
    +reward.reward_kwargs.overlong_buffer_cfg.len="${OVERLONG_BUFFER}"
    +reward.reward_kwargs.overlong_buffer_cfg.penalty_factor=1.0
    +reward.reward_kwargs.overlong_buffer_cfg.log=False
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

    actor_rollout_ref.actor.loss_agg_mode=token-mean
    actor_rollout_ref.actor.clip_ratio_low=0.2
    actor_rollout_ref.actor.clip_ratio_high=0.28
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
    actor_rollout_ref.rollout.max_model_len="${sequence_length}"
    actor_rollout_ref.rollout.max_num_batched_tokens="${sequence_length}"
    actor_rollout_ref.rollout.cudagraph_capture_sizes='[8,16,32,64]'
    +actor_rollout_ref.rollout.engine_kwargs.vllm.compilation_config.cudagraph_mode=FULL_DECODE_ONLY
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
    "${DATA[@]}" "${ALGORITHM[@]}" "${REWARD[@]}" "${MODEL[@]}" "${ACTOR[@]}" "${ROLLOUT[@]}" "${TRAINER[@]}"
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
