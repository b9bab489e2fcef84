"""Bytes per logit (token x vocabulary entry) that are alive together at the end of the model.

    path                                     NPU   CUDA
    training                                   4     2     logits; NPU: what npu_cross_entropy_loss saves
      temperature scales by a copy            +2    +2     verl 0.9.0; 0.9.1 only for a temperature other than 1
      entropy in the loss, compiled           +4    +4     a second gradient of the logits
    log-probability alone                      4     2     plus the copy
    entropy, eager and in one piece           18    13     float32 softmax, product, logsumexp (NPU: fitted on row 3)
    entropy, compiled                          6     6
    entropy in chunks                          as log-probability, plus 16 bytes per logit of one chunk
    Megatron: training 10, entropy 14, log-probability 8 (float32 logits), divided by tensor parallel size

Sources: verl/workers/engine/fsdp/transformer_impl.py :: prepare_model_outputs, verl/utils/torch_functional.py,
verl/workers/engine/megatron/transformer_impl.py :: _lm_head_logits_processor.
"""

from __future__ import annotations

from lint.memory.inputs import MemoryInputs, Training

TRAINING = {"npu": 4.0, "cuda": 2.0}
COPY = 2.0
SECOND_GRADIENT = 4.0
EAGER_ENTROPY = {"npu": 18.0, "cuda": 13.0}
COMPILED_ENTROPY = 6.0
CHUNK_ENTROPY = 16.0
MEGATRON_TRAINING = 10.0
MEGATRON_ENTROPY = 14.0
MEGATRON_LOG_PROB = 8.0


def scaled_copy(inputs: MemoryInputs) -> float:
    """Bytes of the temperature-scaled copy of one logit."""
    free = inputs.switches.unit_temperature_needs_no_copy and inputs.temperature == 1.0
    return COPY if inputs.switches.copies_scaled_logits and not free else 0.0


def training_bytes(inputs: MemoryInputs, training: Training) -> float:
    """Per logit in a forward pass that will be differentiated."""
    entropy = SECOND_GRADIENT if training.entropy_in_loss else 0.0
    return TRAINING[inputs.device.kind] + scaled_copy(inputs) + entropy


def log_prob_bytes(inputs: MemoryInputs) -> float:
    """Per logit in a forward pass that only needs log-probabilities."""
    return TRAINING[inputs.device.kind] + scaled_copy(inputs)


def entropy_bytes(inputs: MemoryInputs, training: Training, tokens: int) -> float:
    """Of all logits in a forward pass that also needs the entropy."""
    vocabulary = inputs.model.vocabulary_size
    if training.chunked_entropy:
        chunk = min(tokens, training.entropy_chunk)
        return tokens * vocabulary * log_prob_bytes(inputs) + chunk * vocabulary * CHUNK_ENTROPY
    if training.compiled_entropy:
        return tokens * vocabulary * COMPILED_ENTROPY
    return tokens * vocabulary * EAGER_ENTROPY[inputs.device.kind]
