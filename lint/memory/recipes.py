"""Entry points outside verl that build on its PPO trainer: their launches are read as those of `main_ppo`.

`recipe.dapo.main_dapo` and its like live in another repository. Their configs start from verl's own and add keys of
the algorithm; what decides memory has the same names. That the launch was read so is among its assumptions.
"""

from __future__ import annotations

from dataclasses import replace

from lint.bash.reading import Known, Text
from lint.checking import target
from lint.launch.compose import compose
from lint.settings import ScriptSettings
from lint.subject.derived import MODEL
from lint.subject.subject import Subject

MAIN_PPO = "verl.trainer.main_ppo"
MEGATRON = "ppo_megatron_trainer"


def composed_elsewhere(subject: Subject) -> bool:
    """True for a launch whose config is not verl's."""
    return subject.composition is not None and subject.composition.unchecked is not None


def read_as_ppo(subject: Subject) -> Subject:
    """The subject with the config that its overrides compose to under `main_ppo`; as it is where that is not needed."""
    launch, composition = subject.launch, subject.composition
    writes_model = any(override.key == f"{MODEL}.path" for override in launch.overrides)
    if composition is None or not composed_elsewhere(subject) or not writes_model:
        return subject
    name = launch.config_name
    megatron = name is not None and "megatron" in name.shown
    primary = Text((Known(MEGATRON, name.pieces[0].origin),)) if megatron and name is not None else None
    as_ppo = replace(launch, entry_point=MAIN_PPO, config_name=primary, config_path=None, config_dir=None)
    composed = compose(as_ppo, composition.schema)
    if composed.unchecked is not None:
        return subject
    nothing = ScriptSettings()
    device, cluster = target.find_cluster(composed.config, launch.environment, {}, nothing, nothing)
    device = subject.device or device
    return replace(
        subject,
        launch=as_ppo,
        config=composed.config,
        composition=composed,
        model=subject.model or target.find_launch_model(composed.config, {}, nothing, nothing),
        device=device,
        cluster=subject.cluster or (None if cluster is None else replace(cluster, device=device)),
        computed={},
    )
