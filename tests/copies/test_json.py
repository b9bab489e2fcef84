"""The JSON of `compare` and `copies` is what their published schemas say, field by field."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from tests.copies.conftest import Work, launch
from tests.copies.test_commands import call
from tests.copies.test_survey import PLACES, TP, declare, on_release

BRANCH = "release/v0.9.0"


def schema(command: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(files("lint.output").joinpath(f"{command}.schema.json").read_text("utf-8"))
    return found


@pytest.fixture
def released(work: Work, monkeypatch: pytest.MonkeyPatch) -> Work:
    """Two recipes and their copies: one difference always, one under a scenario, one declared; a copy is missing, one
    has no recipe, one is refused; one declaration is stale."""
    toggle = "DEVICE=${DEVICE:-gpu}\ncase $DEVICE in gpu) N=8 ;; npu) N=16 ;; esac\n"
    work.write("pyproject.toml", PLACES + declare("trainer.save_freq") + declare("trainer.test_freq"))
    work.commit(
        examples__run_a_sh=launch(f"{TP}=8"), examples__run_b_sh=launch("trainer.n_gpus_per_node=$N", before=toggle)
    )
    work.git("branch", BRANCH)
    on_release(
        work,
        examples__run_a_sh=launch(f"{TP}=4", "trainer.save_freq=5", "trainer.none=1"),
        examples__run_b_sh=launch("trainer.n_gpus_per_node=8"),
        examples__run_d_sh=launch(),
    )
    work.commit(examples__run_c_sh=launch(), examples__run_a_sh=launch(f"{TP}=2"))
    monkeypatch.chdir(work.folder)
    return work


def test_copies_follow_the_schema(released: Work) -> None:
    document = json.loads(call("copies", "--history", "--format", "json").stdout)
    jsonschema.validate(document, schema("copies"))
    assert names(document) == documented(schema("copies"))


def test_comparisons_follow_the_schema(released: Work) -> None:
    results = [
        call("compare", f"examples/run_{name}.sh", f"{BRANCH}:examples/run_{name}.sh", "--format", "json").stdout
        for name in "ab"
    ]
    documents = [json.loads(result) for result in results]
    for document in documents:
        jsonschema.validate(document, schema("compare"))
    assert set.union(*map(names, documents)) == documented(schema("compare"))


def names(node: Any) -> set[str]:
    """The names of all fields of a document; those of a scenario are variables and not fields."""
    if isinstance(node, list):
        return set().union(*map(names, node))
    if not isinstance(node, dict):
        return set()
    below = (names(value) for name, value in node.items() if name != "scenario")
    return set(node).union(*below)


def documented(node: Any) -> set[str]:
    """The names of all fields of a schema."""
    if isinstance(node, list):
        return set().union(*map(documented, node))
    if not isinstance(node, dict):
        return set()
    return set(node.get("properties", {})).union(*map(documented, node.values()))
