#!/usr/bin/env bash
# GRPO of Qwen3.5-122B-A10B on Geometry3K with responses of up to 32k tokens: Megatron training, vLLM rollout.
#
# Hardware:  4 nodes with 16 NPUs each (Atlas A3, 64 dies)
# Software:  verl 0.8.0, CANN 9.0.0, torch_npu 2.9.0.post2, vllm-ascend 0.18.0, MindSpeed and Megatron-LM core_r0.16.0,
#            Megatron-Bridge
# Memory:    GiB expected of 61.3 on each NPU: init 41, update_weights 37, generate 41, old_log_prob 40,
#            ref_log_prob 27, update_actor 54, save 12; on each host: 978
# NPU-hours: per step unknown
# Sources:   examples/ascend_extras/grpo_trainer/run_qwen3_5_122b_a10b_32k_megatron.sh of verl at 1dda039b9;
#            docs/ascend_tutorial/model_support/examples/qwen3_5_megatron_npu.md of verl
#
# Where this differs from the source, and why:
# - megatron.grad_offload was removed in 0.9.1, where param_offload frees the gradient buffers too: the source does
#   not start there.
# - Exports that vllm-ascend 0.23 does not read are gone: VLLM_USE_V1, VLLM_ASCEND_ENABLE_PREFETCH_MLP,
#   VLLM_ASCEND_ENABLE_TOPK_OPTIMIZE.
# - Graphs are captured for 16, 32, 48 and 64 sequences: with FLASHCOMM1 vllm-ascend keeps only multiples of GEN_TP,
#   so of the source's 4, 12, 24, 48 and 64 two are left.
# - CPU_AFFINITY_CONF is gone: enable_cpu_binding binds the same threads.
# - overlap_cpu_optimizer_d2h_h2d is gone: it belongs to Megatron's optimizer_cpu_offload, which is off.
# - HCCL_CONNECT_TIMEOUT and HCCL_EXEC_TIMEOUT are set: 120 seconds are short for 64 ranks.
# - The last two checkpoints are kept; the source keeps all of them.
# - data.truncation is read by nothing. The sizes of the reference model follow the actor, and keys that repeat a
#   default are gone.
#
# Several nodes: start Ray on all of them with ascend_extras/launch_ray_cluster.sh, then run this on the head node.
# Try it:    DRY_RUN=1 bash run_qwen3_5_122b_a10b_32k_megatron.sh        prints the command, starts nothing
# Change it: GPU_MEMORY_UTILIZATION=0.5 bash run_qwen3_5_122b_a10b_32k_megatron.sh trainer.total_training_steps=10
#
# recipe-lint: device=ascend-a3 release=0.8.0
# recipe-lint: copy-of=56dddd5e6602
set -euo pipefail

# ------------------------------------------------------------------------------------------------------ user-adjustable
NNODES=${NNODES:-4}
NPUS_PER_NODE=${NPUS_PER_NODE:-16}

WORK_DIR=${WORK_DIR:-${HOME}/verl}
MODEL_PATH=${MODEL_PATH:-${WORK_DIR}/models/Qwen3.5-122B-A10B}
TRAIN_FILE=${TRAIN_FILE:-${WORK_DIR}/data/geo3k/train.parquet}
TEST_FILE=${TEST_FILE:-${WORK_DIR}/data/geo3k/test.parquet}
PROJECT_NAME=${PROJECT_NAME:-verl_grpo_qwen3_5_122b}
EXPERIMENT_NAME=${EXPERIMENT_NAME:-qwen3_5_122b_a10b_32k_megatron}
CHECKPOINT_DIR=${CHECKPOINT_DIR:-${WORK_DIR}/checkpoints/${PROJECT_NAME}/${EXPERIMENT_NAME}}
LOG_DIR=${LOG_DIR:-logs}

TRAIN_BATCH_SIZE=${TRAIN_BATCH_SIZE:-16}       # prompts per step
PPO_MINI_BATCH_SIZE=${PPO_MINI_BATCH_SIZE:-16} # prompts per optimizer step
ROLLOUT_N=${ROLLOUT_N:-5}                      # responses per prompt
MAX_PROMPT_LENGTH=${MAX_PROMPT_LENGTH:-4096}
MAX_RESPONSE_LENGTH=${MAX_RESPONSE_LENGTH:-32768}
LEARNING_RATE=${LEARNING_RATE:-1e-6}

TRAIN_TP=${TRAIN_TP:-2} # tensor, pipeline, context, expert and expert tensor parallel sizes of training
TRAIN_PP=${TRAIN_PP:-4}
TRAIN_CP=${TRAIN_CP:-4}
TRAIN_EP=${TRAIN_EP:-16}
TRAIN_ETP=${TRAIN_ETP:-1}
GEN_TP=${GEN_TP:-16}                                  # tensor and expert parallel size of rollout
GPU_MEMORY_UTILIZATION=${GPU_MEMORY_UTILIZATION:-0.6} # share of an NPU that rollout may take
OFFLOAD=${OFFLOAD:-True}                              # parameters and optimizer wait in host memory

TOTAL_EPOCHS=${TOTAL_EPOCHS:-15}
TOTAL_TRAINING_STEPS=${TOTAL_TRAINING_STEPS:-100}
SAVE_FREQ=${SAVE_FREQ:-15}
TEST_FREQ=${TEST_FREQ:--1}

# ------------------------------------------------------------------------------------------------------ NPU environment
# Ray workers inherit the environment of `ray start`, not of this script, so it is handed over by name.
ENVIRONMENT=(
    '+ray_kwargs.ray_init.runtime_env.env_vars.HCCL_CONNECT_TIMEOUT="3600"'
    '+ray_kwargs.ray_init.runtime_env.env_vars.HCCL_EXEC_TIMEOUT="3600"'
    '+ray_kwargs.ray_init.runtime_env.env_vars.VLLM_ALLREDUCE_USE_SYMM_MEM="0"'
    '+ray_kwargs.ray_init.runtime_env.env_vars.VLLM_ASCEND_ENABLE_FLASHCOMM1="1"'
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
    actor_rollout_ref.model.trust_remote_code=True
    actor_rollout_ref.model.use_remove_padding=False # the gated delta net takes no packed sequences on NPU
)

ACTOR=(
    actor_rollout_ref.actor.optim.lr="${LEARNING_RATE}"
    actor_rollout_ref.actor.ppo_mini_batch_size="${PPO_MINI_BATCH_SIZE}"
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1
    actor_rollout_ref.actor.use_kl_loss=True
    actor_rollout_ref.actor.kl_loss_coef=0.01
    actor_rollout_ref.actor.kl_loss_type=low_var_kl
    actor_rollout_ref.actor.checkpoint.strict=False
    actor_rollout_ref.actor.checkpoint.save_contents='["model"]'

    actor_rollout_ref.actor.megatron.tensor_model_parallel_size="${TRAIN_TP}"
    actor_rollout_ref.actor.megatron.pipeline_model_parallel_size="${TRAIN_PP}"
    actor_rollout_ref.actor.megatron.context_parallel_size="${TRAIN_CP}"
    actor_rollout_ref.actor.megatron.expert_model_parallel_size="${TRAIN_EP}"
    actor_rollout_ref.actor.megatron.expert_tensor_parallel_size="${TRAIN_ETP}"
    actor_rollout_ref.actor.megatron.param_offload="${OFFLOAD}"
    actor_rollout_ref.actor.megatron.optimizer_offload="${OFFLOAD}"
    actor_rollout_ref.actor.megatron.grad_offload="${OFFLOAD}"
    actor_rollout_ref.actor.megatron.vanilla_mbridge=False
    actor_rollout_ref.actor.megatron.use_remove_padding=False
    actor_rollout_ref.actor.megatron.override_transformer_config.attention_backend=auto
    actor_rollout_ref.actor.megatron.override_transformer_config.recompute_granularity=full
    actor_rollout_ref.actor.megatron.override_transformer_config.recompute_method=uniform
    actor_rollout_ref.actor.megatron.override_transformer_config.recompute_num_layers=1
    +actor_rollout_ref.actor.megatron.override_transformer_config.context_parallel_algo=kvallgather_cp_algo
    +actor_rollout_ref.actor.megatron.override_transformer_config.use_flash_attn=True
    +actor_rollout_ref.actor.megatron.override_transformer_config.sequence_parallel=True
    +actor_rollout_ref.actor.megatron.override_transformer_config.use_fused_rmsnorm=True
    +actor_rollout_ref.actor.megatron.override_transformer_config.use_fused_swiglu=True
    +actor_rollout_ref.actor.megatron.override_transformer_config.use_naive_l2norm=True
    +actor_rollout_ref.actor.megatron.override_transformer_config.moe_aux_loss_coeff=0.01
    +actor_rollout_ref.actor.megatron.override_transformer_config.moe_z_loss_coeff=0.001
    +actor_rollout_ref.actor.megatron.override_transformer_config.moe_permute_fusion=True
    +actor_rollout_ref.actor.megatron.override_transformer_config.moe_grouped_gemm=True
    +actor_rollout_ref.actor.megatron.override_transformer_config.moe_token_dispatcher_type=alltoall
    +actor_rollout_ref.actor.megatron.override_transformer_config.moe_router_dtype=fp32
)

REF=(
    actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=2
    actor_rollout_ref.ref.megatron.param_offload="${OFFLOAD}"
)

ROLLOUT=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.n="${ROLLOUT_N}"
    actor_rollout_ref.rollout.tensor_model_parallel_size="${GEN_TP}"
    actor_rollout_ref.rollout.expert_parallel_size="${GEN_TP}"
    actor_rollout_ref.rollout.gpu_memory_utilization="${GPU_MEMORY_UTILIZATION}"
    actor_rollout_ref.rollout.max_num_seqs=256
    actor_rollout_ref.rollout.calculate_log_probs=True
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=2
    +actor_rollout_ref.rollout.engine_kwargs.vllm.compilation_config.cudagraph_mode=FULL_DECODE_ONLY
    +actor_rollout_ref.rollout.engine_kwargs.vllm.compilation_config.cudagraph_capture_sizes='[16,32,48,64]'
    +actor_rollout_ref.rollout.engine_kwargs.vllm.additional_config.enable_cpu_binding=True
    +actor_rollout_ref.rollout.engine_kwargs.vllm.async_scheduling=True
    +actor_rollout_ref.rollout.engine_kwargs.vllm.mm_processor_cache_gb=0
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
release="verl 0.8.0"
found=$(python3 -c 'import verl; print(verl.__version__)' 2> /dev/null) ||
    stop "python3 cannot import verl: install ${release}"
found="verl ${found##*$'\n'}"
[[ ${found} == "${release}" ]] || printf '%s: this is for %s, and here is %s\n' "$0" "${release}" "${found}" >&2

mkdir -p "${LOG_DIR}" 2> /dev/null || stop "no log folder can be made at LOG_DIR=${LOG_DIR}"
# -i: at Ctrl-C tee stays until Python has ended its workers and said so
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}" 2>&1 | tee -ai "${LOG_DIR}/${EXPERIMENT_NAME}.log"
