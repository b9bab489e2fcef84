"""A value refers to a key that the config does not have, or asks a resolver that there is not.

## What it finds
`${name}` that reaches Hydra, because single quotes kept bash from expanding it, and whose name is no key of the config;
`${name:...}`, where neither OmegaConf nor Hydra has a resolver of that name: bash's `${NNODES:-1}`, too. A
resolver that the code of a checkout registers is known, and where verl is told to import modules of others first
(`VERL_USE_EXTERNAL_MODULES`), any may be there.

## Why it hurts
Hydra takes `${...}` for a reference to another key and leaves it in the text. verl resolves all references when it
starts.

## When it fails
at start: InterpolationKeyError, UnsupportedInterpolationType

## Example that fails
```bash
EXPERIMENT=first
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    'trainer.experiment_name=${EXPERIMENT}'  # <- here
```

## Example that passes
```bash
EXPERIMENT=first
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    "trainer.experiment_name=${EXPERIMENT}" \\
    'trainer.default_local_dir=/checkpoints/${trainer.experiment_name}'
```

## Fix
Use double quotes for variables of bash; name a key of the config with its full path.

## Sources
- omegaconf 2.3 base.py :: _resolve_node_interpolation, _evaluate_custom_resolver
- omegaconf 2.3 omegaconf.py :: register_default_resolvers
- hydra-core 1.3 core/utils.py :: setup_globals
- no code of verl registers a resolver (wheels 0.6.1 to 0.9.1)
- verl/trainer/main_ppo.py :: TaskRunner.run: OmegaConf.resolve(config) (0.6.1 to 0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.launch.config import ABSENT
from lint.launch.effective import node_at
from lint.likeness import only_nearest
from lint.regular import regular
from lint.rules.hydra._fields import in_force
from lint.rules.hydra._nearest import nearest_key
from lint.rules.hydra._overrides import report
from lint.rules.rule import rule
from lint.subject.derived import is_own_name, loads_modules
from lint.subject.subject import Subject

REFERENCE = regular(r"(?<!\\)\$\{\s*([A-Za-z_]\w*(?:\.\w+)*)\s*\}")
"""A reference to an absolute key; one with a resolver (`${oc.env:HOME}`) or relative (`${.a}`) does not match."""

RESOLVER = regular(r"(?<!\\)\$\{\s*([A-Za-z_][\w.]*)\s*:")
OF_OMEGACONF = ("oc.create", "oc.decode", "oc.deprecated", "oc.dict.keys", "oc.dict.values", "oc.env", "oc.select")
RESOLVERS = frozenset((*OF_OMEGACONF, "hydra", "now", "python_version"))


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Every reference in the value of an override that counts, and every resolver."""
    composition = subject.composition
    if composition is None or not subject.launch.entry_point.startswith("verl.trainer."):
        return
    for override, _, _ in in_force(subject):
        text = override.value.value if override.value is not None else None
        for name in REFERENCE.findall(text) if text and "${" in text else ():
            if node_at(composition.tree, name) is not ABSENT:
                continue
            near = nearest_key(composition, name) if "." in name else None
            meant = f"did you mean ${{{near}}}?" if near else f"if {name} is a variable of bash, write double quotes"
            yield report(
                subject, check, override, f"{override.key} refers to {name}, which is no key of the config", help=meant
            )
        for name in RESOLVER.findall(text) if text and not loads_modules(subject) else ():
            if name not in RESOLVERS and not is_own_name(subject, name):
                message = f"{override.key} asks the resolver {name}, which neither OmegaConf nor Hydra has"
                near = only_nearest(name, RESOLVERS)
                meant = f"did you mean {near}?" if near else f"if {name} is a variable of bash, write double quotes"
                yield report(subject, check, override, message, help=meant)
