"""The critic is a model of another vocabulary than the actor.

## What it finds
`critic.model.path` and `actor_rollout_ref.model.path` name known models whose vocabularies differ by more than a tenth,
in a launch that builds a critic. Padding of the embedding makes smaller differences. A critic without a path of its own
is `~/models/deepseek-llm-7b-chat`.

## Why it hurts
The critic gets the token numbers of the actor's tokenizer. Numbers above its own vocabulary lie outside its embedding;
the others mean other words to it.

## When it fails
first step: device-side assert or IndexError in the embedding; silently if the critic has the larger vocabulary

## Example that fails
```bash
SETTINGS=(
    algorithm.adv_estimator=gae
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    critic.model.path=meta-llama/Llama-3.1-8B-Instruct  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    algorithm.adv_estimator=gae
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    critic.model.path=Qwen/Qwen3-4B
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Start the critic from a model with the actor's tokenizer.

## Sources
- verl/trainer/ppo/ray_trainer.py :: fit: the critic gets the batch of the rollout as it is (0.7.1 to 0.9.1)
- verl/trainer/config/model/hf_model.yaml: path (the critic's default is ~/models/deepseek-llm-7b-chat)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.facts.models import find_model
from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import CRITIC, MODEL, needs_critic
from lint.subject.subject import Subject

PATH = f"{CRITIC}.model.path"
SWITCHES = ("algorithm.adv_estimator", f"{CRITIC}.enable")
LARGEST_PADDING = 0.1  # of the vocabulary


@rule(severity="error", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """The embeddings of the two models, where both are known."""
    path, actor = subject.string(PATH), subject.model
    chosen = any(subject.is_set(key) for key in (PATH, *SWITCHES))
    critic = find_model(path) if path is not None and chosen and needs_critic(subject) else None
    if critic is None or actor is None:
        return
    own, given = critic.vocabulary_size, actor.vocabulary_size
    if abs(own - given) <= LARGEST_PADDING * given:
        return
    default = "" if subject.is_set(PATH) else " (default)"
    yield subject.finding(
        check,
        f"the critic {critic.name}{default} knows {own} tokens, and the actor {actor.name} has {given}: "
        + ("higher token numbers lie outside its embedding" if own < given else "the numbers mean other words to it"),
        key=PATH,
        also=(f"{MODEL}.path",),
        severity=None if own < given else "warning",
        help=f"set {PATH} to a model with the tokenizer of {actor.name}",
    )
