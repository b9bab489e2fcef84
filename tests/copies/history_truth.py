"""The drift that verl's own history shows, found again: `python -m tests.copies.history_truth TREE`.

TREE is a clone of verl with its history. On main at 6a4a07843 the Qwen3-Next recipe for Ascend was corrected; commit
51b8e1fa3 brought the same to release/v0.8.0. Before it, main and the branch differ in exactly the two values that it
brought; after it, in nothing.
"""

from __future__ import annotations

import sys
from pathlib import Path

from lint.copies.compare import compare
from lint.copies.git import Repository
from lint.copies.sides import Side, of_commit

RECIPE = "examples/ascend_extras/grpo_trainer/run_qwen3_next_80b_fsdp.sh"
MAIN, BROUGHT = "6a4a07843", "51b8e1fa3"
BEFORE = {
    "actor_rollout_ref.rollout.tensor_model_parallel_size": ("8", "4"),
    "actor_rollout_ref.rollout.gpu_memory_utilization": ("0.6", "0.8"),
}


def main() -> int:
    repository = Repository.at(Path(sys.argv[1]))
    wrong = 0
    for reference, expected in ((f"{BROUGHT}^", BEFORE), (BROUGHT, {})):
        found = {
            difference.key: tuple(None if value is None else value.shown for value in (difference.a, difference.b))
            for difference in compare(_side(repository, MAIN), _side(repository, reference))
        }
        wrong += found != expected
        print(f"main at {MAIN} against {reference}: {found or 'no difference'}")
    return 1 if wrong else 0


def _side(repository: Repository, reference: str) -> Side:
    commit = repository.commit(reference)
    data = repository.read(commit, [RECIPE])[RECIPE]
    return of_commit(repository, commit, reference, RECIPE, data, {}, "0.9.1" if reference == MAIN else "0.8.0")


if __name__ == "__main__":
    sys.exit(main())
