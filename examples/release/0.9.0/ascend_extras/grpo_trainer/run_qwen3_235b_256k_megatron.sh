#!/usr/bin/env bash
# GRPO of Qwen3-235B-A22B-Instruct-2507 on GSM8K with responses of up to 255k tokens: Megatron training, vLLM rollout.
#
# Hardware:  16 nodes with 16 NPUs each (Atlas A3, 256 dies)
# Software:  verl 0.9.0, CANN 9.1.0, torch_npu 2.10.0, vllm-ascend 0.23.0, MindSpeed and Megatron-LM core_r0.16.0,
#            mbridge
# Memory:    GiB expected of 61.3 on each NPU: init 47, update_weights 47, generate 47, old_log_prob 8, ref_log_prob 8,
#            update_actor 13, save 8; on each host: 607
# NPU-hours: per step unknown
# Sources:   examples/ascend_extras/grpo_trainer/run_qwen3_235b_256k_megatron.sh of verl at 1dda039b9
#
# Where this differs from the source, and why:
# - The source writes its log below logs/, which it does not make, and hides the exit status behind tee; without
#   WORK_DIR it looks for the model in /.
# - megatron.grad_offload was removed in 0.9.1, where param_offload frees the gradient buffers too: the source does
#   not start there.
# - The source sets two keys of ref.megatron.override_transformer_config. That replaces the settings which the
#   reference model takes over from the actor, the split of 94 layers over 16 pipeline stages among them. They are
#   left to follow.
# - The bridge loads the Hugging Face folder, so no Megatron copy of the weights (dist_checkpointing_path) is needed.
# - megatron.vanilla_mbridge=True: the Ascend images hold mbridge, not Megatron-Bridge, which is the default since
#   0.9.0.
# - HCCL_CONNECT_TIMEOUT and HCCL_EXEC_TIMEOUT are set: 120 seconds are short for 256 ranks.
# - trainer.save_freq is 20, not -1, and the last two checkpoints are kept; the source saves nothing.
# - data.truncation is read by nothing; prompts that are too long are filtered out instead of cut silently.
# - Token budgets are gone (they count only with use_dynamic_bsz), use_torch_compile (Megatron does not read it),
#   kl_coef (no KL term in the reward), the context parallel size among the transformer settings (verl passes it on),
#   and keys that repeat a default.
#
# For 128k set MAX_RESPONSE_LENGTH=130048.
#
# Several nodes: start Ray on all of them with ascend_extras/launch_ray_cluster.sh, then run this on the head node.
# Try it:    DRY_RUN=1 bash run_qwen3_235b_256k_megatron.sh        prints the command, starts nothing
# Change it: MAX_RESPONSE_LENGTH=130048 bash run_qwen3_235b_256k_megatron.sh trainer.total_epochs=2
#
# recipe-lint: device=ascend-a3 release=0.9.0
# recipe-lint: copy-of=ed12eb80cb29
set -euo pipefail

# ------------------------------------------------------------------------------------------------------ user-adjustable
NNODES=${NNODES:-16}
NPUS_PER_NODE=${NPUS_PER_NODE:-16}

WORK_DIR=${WORK_DIR:-${HOME}/verl}
MODEL_PATH=${MODEL_PATH:-${WORK_DIR}/models/Qwen3-235B-A22B-Instruct-2507}
TRAIN_FILE=${TRAIN_FILE:-${WORK_DIR}/data/gsm8k/train.parquet}
TEST_FILE=${TEST_FILE:-${WORK_DIR}/data/gsm8k/test.parquet}
PROJECT_NAME=${PROJECT_NAME:-verl_grpo_qwen3_235b}
EXPERIMENT_NAME=${EXPERIMENT_NAME:-qwen3_235b_256k_megatron}
CHECKPOINT_DIR=${CHECKPOINT_DIR:-${WORK_DIR}/checkpoints/${PROJECT_NAME}/${EXPERIMENT_NAME}}
LOG_DIR=${LOG_DIR:-logs}

TRAIN_BATCH_SIZE=${TRAIN_BATCH_SIZE:-4}       # prompts per step
PPO_MINI_BATCH_SIZE=${PPO_MINI_BATCH_SIZE:-4} # prompts per optimizer step
ROLLOUT_N=${ROLLOUT_N:-4}                     # responses per prompt
MAX_PROMPT_LENGTH=${MAX_PROMPT_LENGTH:-1024}
MAX_RESPONSE_LENGTH=${MAX_RESPONSE_LENGTH:-261120}
LEARNING_RATE=${LEARNING_RATE:-1e-6}

TRAIN_TP=${TRAIN_TP:-2} # tensor, pipeline, context, expert and expert tensor parallel sizes of training
TRAIN_PP=${TRAIN_PP:-16}
TRAIN_CP=${TRAIN_CP:-8}
TRAIN_EP=${TRAIN_EP:-16}
TRAIN_ETP=${TRAIN_ETP:-1}
FIRST_LAYERS=${FIRST_LAYERS:-5} # 94 layers are 5 + 14 * 6 + 5
LAST_LAYERS=${LAST_LAYERS:-5}
GEN_TP=${GEN_TP:-4} # tensor and data parallel sizes of one rollout engine; its experts spread over both
GEN_DP=${GEN_DP:-32}
GPU_MEMORY_UTILIZATION=${GPU_MEMORY_UTILIZATION:-0.7} # share of an NPU that rollout may take
OFFLOAD=${OFFLOAD:-True}                              # parameters and optimizer wait in host memory

TOTAL_EPOCHS=${TOTAL_EPOCHS:-15}
SAVE_FREQ=${SAVE_FREQ:-20}
TEST_FREQ=${TEST_FREQ:--1}

# -------------------------------------------------------------------------------------------------------------- derived
sequence_length=$((MAX_PROMPT_LENGTH + MAX_RESPONSE_LENGTH))
gen_ep=$((GEN_TP * GEN_DP))

# ------------------------------------------------------------------------------------------------------ NPU environment
# Ray workers inherit the environment of `ray start`, not of this script, so it is handed over by name.
ENVIRONMENT=(
    '+ray_kwargs.ray_init.runtime_env.env_vars.HCCL_CONNECT_TIMEOUT="3600"'
    '+ray_kwargs.ray_init.runtime_env.env_vars.HCCL_EXEC_TIMEOUT="3600"'
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
    actor_rollout_ref.actor.optim.lr_warmup_steps=10
    actor_rollout_ref.actor.optim.weight_decay=0.1
    +actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_cpu_offload=True
    +actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_offload_fraction=1
    +actor_rollout_ref.actor.optim.override_optimizer_config.use_precision_aware_optimizer=True
    actor_rollout_ref.actor.ppo_mini_batch_size="${PPO_MINI_BATCH_SIZE}"
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1
    actor_rollout_ref.actor.use_kl_loss=True
    actor_rollout_ref.actor.kl_loss_coef=0.001
    actor_rollout_ref.actor.kl_loss_type=low_var_kl

    actor_rollout_ref.actor.megatron.tensor_model_parallel_size="${TRAIN_TP}"
    actor_rollout_ref.actor.megatron.pipeline_model_parallel_size="${TRAIN_PP}"
    actor_rollout_ref.actor.megatron.context_parallel_size="${TRAIN_CP}"
    actor_rollout_ref.actor.megatron.expert_model_parallel_size="${TRAIN_EP}"
    actor_rollout_ref.actor.megatron.expert_tensor_parallel_size="${TRAIN_ETP}"
    actor_rollout_ref.actor.megatron.param_offload="${OFFLOAD}"
    actor_rollout_ref.actor.megatron.optimizer_offload="${OFFLOAD}"
    actor_rollout_ref.actor.megatron.grad_offload="${OFFLOAD}"
    actor_rollout_ref.actor.megatron.vanilla_mbridge=True
    actor_rollout_ref.actor.megatron.override_transformer_config.recompute_granularity=full
    actor_rollout_ref.actor.megatron.override_transformer_config.recompute_method=uniform
    actor_rollout_ref.actor.megatron.override_transformer_config.recompute_num_layers=1
    +actor_rollout_ref.actor.megatron.override_transformer_config.num_layers_in_first_pipeline_stage="${FIRST_LAYERS}"
    +actor_rollout_ref.actor.megatron.override_transformer_config.num_layers_in_last_pipeline_stage="${LAST_LAYERS}"
    +actor_rollout_ref.actor.megatron.override_transformer_config.normalization=RMSNorm
    +actor_rollout_ref.actor.megatron.override_transformer_config.swiglu=True
    +actor_rollout_ref.actor.megatron.override_transformer_config.use_flash_attn=True
    +actor_rollout_ref.actor.megatron.override_transformer_config.use_fused_rmsnorm=True
    +actor_rollout_ref.actor.megatron.override_transformer_config.use_fused_swiglu=True
    +actor_rollout_ref.actor.megatron.override_transformer_config.use_distributed_optimizer=True
    +actor_rollout_ref.actor.megatron.override_transformer_config.sequence_parallel=True
)

REF=(
    actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=1
    actor_rollout_ref.ref.megatron.param_offload="${OFFLOAD}"
)

ROLLOUT=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.n="${ROLLOUT_N}"
    actor_rollout_ref.rollout.tensor_model_parallel_size="${GEN_TP}"
    actor_rollout_ref.rollout.data_parallel_size="${GEN_DP}"
    actor_rollout_ref.rollout.expert_parallel_size="${gen_ep}"
    actor_rollout_ref.rollout.gpu_memory_utilization="${GPU_MEMORY_UTILIZATION}"
    actor_rollout_ref.rollout.max_model_len="${sequence_length}"
    actor_rollout_ref.rollout.max_num_batched_tokens=2048
    actor_rollout_ref.rollout.max_num_seqs=16
    actor_rollout_ref.rollout.enforce_eager=True
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=1
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
