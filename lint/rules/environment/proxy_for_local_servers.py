r"""An HTTP proxy is set without exceptions, and the rollout's servers are reached by HTTP.

## What it finds
`http_proxy` or `HTTP_PROXY` for the workers without `no_proxy` or `NO_PROXY`, in a launch with an SGLang rollout.

## Why it hurts
verl speaks to its SGLang servers by HTTP on the addresses of the nodes. The library honours the proxy variables: the
requests go to the proxy, which does not know these hosts, and the rollout waits or fails.

## When it fails
at init: when verl first calls its rollout server

## Example that fails
```bash
export http_proxy=http://proxy.example:3128  # <- here
OVERRIDES=(actor_rollout_ref.rollout.name=sglang trainer.n_gpus_per_node=8)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}" "$@"
```

## Example that passes
```bash
export http_proxy=http://proxy.example:3128
export no_proxy=localhost,127.0.0.1,10.0.0.0/8
OVERRIDES=(actor_rollout_ref.rollout.name=sglang trainer.n_gpus_per_node=8)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}" "$@"
```

## Fix
Set `no_proxy` to the addresses of the nodes, or unset the proxy after downloads.

## Sources
- verl main: verl/workers/rollout/sglang_rollout/http_server_engine.py (requests.post, which honours the variables)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject
from lint.subject.workers import variable


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """A proxy, no exceptions, and servers that are reached by HTTP."""
    if subject.string(f"{ROLLOUT}.name") != "sglang" or variable(subject, "no_proxy") or variable(subject, "NO_PROXY"):
        return
    for name in ("http_proxy", "HTTP_PROXY"):
        found = variable(subject, name)
        if found is not None and found.value != "":
            yield subject.finding(
                check,
                f"{name} is set without no_proxy: requests to the SGLang servers of this job go through the proxy",
                span=found.span,
                also=[f"{ROLLOUT}.name"],
                help="export no_proxy with the addresses of the nodes",
            )
            return
