"""The numbers of `data/constants.json` in bytes and plain shares."""

from __future__ import annotations

import json
from functools import cache

from lint.frozen import frozen
from lint.memory.terms import GIB, MIB
from lint.packaged import packaged

UNITS = {"GiB": GIB, "GiB per device": GIB, "MiB": MIB}


@frozen
class Constants:
    """Each with its source in the data file. Sizes in bytes; `logit_*` in bytes per logit; shares as they are."""

    context_npu: float
    context_cuda: float
    communicator_npu: float
    communicator_cuda: float
    communicator_pair: float
    communicator_peer: float
    communicator_pcie: float
    outside_deviation_npu: float
    outside_deviation_cuda: float
    rollout_outside_deviation: float
    asleep: float
    asleep_deviation: float
    awake_in_process: float
    asleep_in_process: float
    asleep_in_process_deviation: float
    graphs: float
    graphs_deviation: float
    pool_deviation: float
    profile_deviation: float
    slack_expandable: float
    slack_expandable_deviation: float
    slack_fixed_base: float
    slack_fixed_carved: float
    slack_fixed_most: float
    slack_fixed_deviation: float
    gather_fragments: float
    gather_deviation: float
    cached_deviation: float
    reserved_beyond_peak: float
    reserved_beyond_peak_deviation: float
    unexplained_update_npu: float
    unexplained_update_npu_deviation: float
    logit_training_npu: float
    logit_training_cuda: float
    logit_plain: float
    logit_copy: float
    logit_divided_view: float
    logit_two_gradients: float
    logit_joined_samples: float
    logit_chunked_kept: float
    logit_chunked_gradients: float
    logit_chunked_backward: float
    logit_eager_entropy_training: float
    logit_top_k_distillation: float
    logit_eager_entropy_npu: float
    logit_eager_deviation: float
    logit_eager_entropy_cuda: float
    logit_compiled_entropy: float
    logit_entropy_chunk: float
    logit_megatron_training: float
    logit_megatron_second: float
    logit_megatron_entropy: float
    logit_megatron_log_prob: float
    fused_activations_npu: float
    selective_activations: float
    linear_attention_plain: float
    attention_scores: float
    expert_imbalance: float
    host_process: float

    def context(self, kind: str) -> float:
        """Driver context of one process."""
        return self.context_npu if kind == "npu" else self.context_cuda

    def outside_deviation(self, kind: str) -> float:
        return self.outside_deviation_npu if kind == "npu" else self.outside_deviation_cuda


@cache
def constants() -> Constants:
    """The constants of this version."""
    text = packaged("memory/data/constants.json").read_text(encoding="utf-8")
    entries = json.loads(text)["constants"]
    return Constants(**{entry["name"]: entry["value"] * UNITS.get(entry["unit"], 1) for entry in entries})
