"""Bytes per logit (token x vocabulary entry) that are alive together at the end of the model.

    path                                     NPU   CUDA
    training, end of the forward pass          4     2     logits; NPU: what npu_cross_entropy_loss saves
      padding taken out of them              +2    +2     FSDP without use_remove_padding: a copy, its gradient
      temperature scales by a copy            +2    +2     verl 0.9.0; 0.9.1 only for a temperature other than 1
      without flash-attn                             +4     each token's log-softmax, in float32 under autocast
    training, backward pass of the loss, in all and without the scaled copy, if that is more
      entropy, compiled                        6     6     logits and two gradients; without flash-attn 8
      entropy, eager                          28    28     10 are kept, the rest comes with the backward pass
      entropy, eager and in chunks            16    16     10 are kept, three gradients; 30 if one chunk holds all
      padding taken out by the engine          6     6     a gradient of all samples beside the copy
      temperature divides a view in place      8     8     before verl 0.9.0
      distillation of the top k              +12   +12     float32 log-softmax and two gradients; none in chunks
    log-probability alone                      4     2     plus the copy
    entropy, eager and in one piece           18    13     float32 softmax, product, logsumexp (NPU: fitted on row 3)
    entropy, compiled                         +2    +2     beside the logits
    entropy in chunks                          as log-probability, plus 16 bytes per logit of one chunk
    Megatron: training 10, entropy 14, log-probability 8 (float32 logits), divided by tensor parallel size
        entropy in the loss                     +8    +8     copy of the logits, softmax kept for the backward pass

The workers of 0.7 and before cut the responses out of padded logits: what is counted per logit is then that of the
response's, beside the 2 bytes of all.

Before 0.9.0 `output.logits.squeeze(0).div_(temperature)` changes a view in place. Its backward pass holds the gradient,
a copy of it, a clone of that, and the quotient, 2 bytes each (torch/csrc/autograd/functions/tensor.cpp :: CopySlices).
Logits of padded samples are no view. Logits that a copy was scaled from are freed before the backward pass, as nothing
saves them.

Sources: verl/workers/engine/fsdp/transformer_impl.py :: prepare_model_outputs, verl/utils/torch_functional.py,
verl/workers/engine/megatron/transformer_impl.py :: _lm_head_logits_processor, verl/utils/megatron/tensor_parallel.py ::
_VocabParallelEntropy (chunks do not help there: each keeps its softmax); all 0.9.1.
"""

from __future__ import annotations

from lint.memory.constants import constants
from lint.memory.inputs import MemoryInputs, Training

DEVIATION = 0.1
"""Of logits at a known number of tokens."""
STORED = 2
"""Bytes of one logit as the model puts it out."""


def scaled_copy(inputs: MemoryInputs) -> float:
    """Bytes of the temperature-scaled copy of one logit."""
    free = inputs.switches.unit_temperature_needs_no_copy and inputs.temperature == 1.0
    return constants().logit_copy if inputs.switches.copies_scaled_logits and not free else 0.0


def training_bytes(inputs: MemoryInputs, training: Training, tokens: int) -> float:
    """Per logit at the end of a forward pass that will be differentiated, or in the backward pass of that end."""
    numbers = constants()
    if training.entropy_in_loss and not training.compiled_entropy:
        return _of_responses(training, _eager_entropy_training(training, tokens))
    plain = 0.0 if inputs.is_npu or inputs.kernels.cross_entropy else numbers.logit_plain
    forward = log_prob_bytes(inputs, training) + plain
    return max(forward, _backward_bytes(inputs, training, forward - scaled_copy(inputs)))


def _of_responses(training: Training, each: float) -> float:
    """Bytes per logit where `each` counts for the part of them that is cut out of all, which copies it."""
    return each if training.share_of_logits == 1 else STORED + training.share_of_logits * each


def _eager_entropy_training(training: Training, tokens: int) -> float:
    """Chunks keep what all logits at once keep, and save only in the backward pass."""
    numbers = constants()
    if not training.chunked_entropy:
        return numbers.logit_eager_entropy_training
    share = min(1.0, training.entropy_chunk / max(1, tokens))
    passing = max(numbers.logit_chunked_gradients, share * numbers.logit_chunked_backward)
    return numbers.logit_chunked_kept + passing


def _backward_bytes(inputs: MemoryInputs, training: Training, saved: float) -> float:
    """Per logit in the backward pass of the loss. `saved`: what its forward pass leaves, and its gradients replace."""
    numbers, padded = constants(), training.batches.update.padded > 0
    second = numbers.logit_copy if training.entropy_in_loss else 0.0
    least = [saved + second + (numbers.logit_top_k_distillation if training.distills_top_k else 0.0)]
    if training.entropy_in_loss:
        least.append(numbers.logit_two_gradients)
    if padded and inputs.switches.joins_padded_samples:
        least.append(numbers.logit_joined_samples)
    if not padded and not inputs.switches.copies_scaled_logits:
        least.append(numbers.logit_divided_view)
    return max(least)


def log_prob_bytes(inputs: MemoryInputs, training: Training) -> float:
    """Per logit in a forward pass that only needs log-probabilities.

    Logits of padded samples are cut and joined before their loss, which copies them (verl/workers/engine/fsdp/
    transformer_impl.py :: prepare_model_outputs, `logits_rmpad`; verl/workers/actor/dp_actor.py, the response's part).
    """
    numbers = constants()
    kept = numbers.logit_training_npu if inputs.is_npu else numbers.logit_training_cuda
    taken = numbers.logit_copy * training.share_of_logits
    return kept + scaled_copy(inputs) + (taken if training.batches.update.padded else 0.0)


def entropy_bytes(inputs: MemoryInputs, training: Training, tokens: int) -> float:
    """Of all logits in a forward pass that also needs the entropy."""
    vocabulary, numbers = inputs.model.vocabulary_size, constants()
    if training.chunked_entropy:
        chunk = min(tokens, training.entropy_chunk)
        return tokens * vocabulary * log_prob_bytes(inputs, training) + chunk * vocabulary * numbers.logit_entropy_chunk
    if training.compiled_entropy:
        return tokens * vocabulary * (log_prob_bytes(inputs, training) + numbers.logit_compiled_entropy)
    eager = numbers.logit_eager_entropy_npu if inputs.is_npu else numbers.logit_eager_entropy_cuda
    return tokens * vocabulary * _of_responses(training, eager)


def entropy_deviation(training: Training) -> float:
    """Deviation of `entropy_bytes`, as a share of it."""
    eager = not (training.chunked_entropy or training.compiled_entropy)
    return constants().logit_eager_deviation if eager else DEVIATION


def megatron_bytes(training: Training, *, forward_only: bool, entropy: bool) -> float:
    """Per logit of the last pipeline stage, before the split over tensor parallel ranks."""
    numbers = constants()
    if not forward_only:
        return numbers.logit_megatron_training + (numbers.logit_megatron_second if training.entropy_in_loss else 0.0)
    whole = entropy and not training.chunked_entropy
    return numbers.logit_megatron_entropy if whole else numbers.logit_megatron_log_prob
