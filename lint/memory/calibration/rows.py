"""The rows of `data/calibration.json` and `data/workflows.json`, each a launch that goes the way of any script.

Its overrides are written as a script: reader, schema of the row's release, composed config, `read_inputs`. What a row
adds is said in it: the realised tokens per sample, and for runs on other software than a release ships, that software.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from shlex import quote
from typing import Any, TypeAlias

from lint.bash.files import NoFiles
from lint.checking.examination import Request
from lint.checking.linter import understand
from lint.files.sources import Files
from lint.memory.inputs import MemoryInputs, NotEnough
from lint.memory.reading import read_inputs
from lint.packaged import packaged
from lint.settings import ScriptSettings
from lint.subject.subject import Subject
from lint.text import Source

Row: TypeAlias = Mapping[str, Any]


def rows(kind: str) -> Sequence[Row]:
    """The `measured` rows, the `labelled` ones, or the `launches` of workflows."""
    found: Sequence[Row] = _data("workflows.json" if kind == "launches" else "calibration.json")[kind]
    return found


@cache
def _data(name: str) -> Mapping[str, Any]:
    text = packaged(f"memory/data/{name}").read_text(encoding="utf-8")
    data: Mapping[str, Any] = json.loads(text)
    return data


def inputs_of(row: Row) -> MemoryInputs:
    """The row's launch, read as a script. Raises ValueError if the tool cannot read it."""
    entry_point = row.get("entry_point", "verl.trainer.main_ppo")
    started = f"{row.get('launcher', 'python3')} -m {entry_point}"
    script = " \\\n    ".join([started, *map(quote, row["overrides"])]) + "\n"
    given = ScriptSettings(release=row["release"], device=row["device"])
    request = Request(ScriptSettings(), given)
    understood = understand(Source("calibration.sh", script), request, Files(NoFiles(), os.curdir))
    if len(understood.subjects) != 1:
        raise ValueError(f"{row['id']}: {len(understood.subjects)} launches")
    inputs = read_inputs(_of_older_code(understood.subjects[0], row.get("code", ())), row.get("tokens"))
    if isinstance(inputs, NotEnough):
        raise ValueError(f"{row['id']}: {inputs.reasons}")
    if "vllm_ascend" in row and inputs.software is not None:
        inputs = replace(inputs, software=replace(inputs.software, vllm_ascend=row["vllm_ascend"]))
    if row.get("expandable_toggle") is False:
        inputs = replace(inputs, switches=replace(inputs.switches, expandable_toggle_npu=False))
    if row.get("engine_alone") and inputs.rollout is not None:  # an engine that somebody served: no trainer beside it
        inputs = replace(inputs, rollout=replace(inputs.rollout, colocated=False))
    return inputs


def _of_older_code(subject: Subject, behaviours: Sequence[str]) -> Subject:
    """A launch of a fork that does what the code of no release does any more, beside all that its release does."""
    if not behaviours or subject.composition is None:
        return subject
    schema = subject.composition.schema
    schema = replace(schema, behaviours=tuple(sorted({*schema.behaviours, *behaviours})))
    return replace(subject, composition=replace(subject.composition, schema=schema), computed={})
