"""Every JSON that the tool prints follows its published schema, and holds no field that the schema does not know."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

import lint.output
from tests.cli.conftest import BROKEN, SCRIPT, Run

ROOM = Path(lint.output.__file__).parent
SCHEMAS = {file.name.removesuffix(".schema.json"): json.loads(file.read_text()) for file in ROOM.glob("*.schema.json")}
CASES = 'case ${DEVICE:-gpu} in npu) train_batch=32 ;; *) train_batch="$1" ;; esac\n'
FILES: Mapping[str, str | bytes] = {
    "broken.sh": BROKEN,
    "toggle.sh": SCRIPT.replace("train_batch=64\n", CASES) + "if\n",
    "call.sh": SCRIPT.replace('"$@"', "~data.seed ++x.y=${Y} actor@role.actor=z name=$(date)"),
    "binary.sh": b"\x7fELF\0",
    "bytes.sh": b"python3 -m verl.trainer.main_ppo x='\xff' $U\n",
    "recipe-lint.toml": "release = '0.9.1'\n[[paths]]\nmatch = ['call.sh']\nseverity = { naming = 'off' }\n",
}
CALLS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "check": (
        ("check", ".", "--format", "json", "--confidence", "low"),
        ("check", "nowhere.sh", "--format", "json"),
        ("check", "call.sh", "--format", "json", "--env", "Y=1", "--device", "ascend-a3"),
    ),
    "statistics": (("check", ".", "--statistics", "--format", "json"),),
    "releases": (("check", "broken.sh", "call.sh", "--releases", "all", "--format", "json"),),
    "show": (
        ("show", "broken.sh", "toggle.sh", "call.sh", "binary.sh", "bytes.sh", "--format", "json"),
        ("show", "call.sh", "--env", "Y=1", "--format", "json"),
    ),
    "commands": (("show", "broken.sh", "call.sh", "binary.sh", "bytes.sh", "--commands"),),
    "rules": (("rules", "--format", "json"), ("rules", "tool", "--format", "json")),
    "settings": (("settings", ".", "call.sh", "--format", "json"),),
    "memory": (
        ("memory", "broken.sh", "call.sh", "toggle.sh", "binary.sh", "--format", "json"),
        ("memory", "broken.sh", "--tp", "2", "--format", "json"),
    ),
}


def closed(node: Any) -> Any:
    """A schema in which objects hold nothing but what it names."""
    if isinstance(node, dict):
        inner = {name: closed(value) for name, value in node.items()}
        return (
            {"additionalProperties": False, **inner} if node.get("type") == "object" and "properties" in node else inner
        )
    return [closed(value) for value in node] if isinstance(node, list) else node


def validator(name: str) -> jsonschema.Draft202012Validator:
    schemas = [closed(schema) for schema in SCHEMAS.values()]
    known = Registry().with_resources((schema["$id"], Resource.from_contents(schema)) for schema in schemas)
    return jsonschema.Draft202012Validator(closed(SCHEMAS[name]), registry=known)


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_is_one_and_says_what_it_is_for(name: str) -> None:
    schema = SCHEMAS[name]
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"].endswith(f"/lint/output/{name}.schema.json")
    assert schema["title"].startswith("recipe-lint ")
    assert schema["title"].endswith(f", version {schema['properties']['version']['const']}")
    assert schema["description"].endswith(".")


@pytest.mark.parametrize(("name", "call"), [(name, call) for name, calls in CALLS.items() for call in calls])
def test_real_output_follows_its_schema(run: Run, name: str, call: tuple[str, ...]) -> None:
    out = run(*call, *(["--no-shellcheck"] if call[0] == "check" else []), files=FILES).out
    document = json.loads(out)
    assert len(json.dumps(document)) > 80
    validator(name).validate(document)


def test_a_written_baseline_follows_its_schema(run: Run, folder: Path) -> None:
    run("check", ".", "--write-baseline", "known.json", files=FILES)
    document = json.loads((folder / "known.json").read_text())
    assert document["findings"]
    validator("baseline").validate(document)


def test_a_field_that_is_not_described_would_be_noticed() -> None:
    rows = [{"rule": "x", "severity": "info", "count": 1, "fixable": 0}]
    document = {"version": 1, "rules": rows, "checked": {"scripts": 1, "launches": 1}}
    validator("statistics").validate(document)
    with pytest.raises(jsonschema.ValidationError, match="secret"):
        validator("statistics").validate({**document, "rules": [{**rows[0], "secret": 1}]})
