"""Schemas of folders and wheels: what is in them, the same each time, and nothing lost on the way to the file."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from lint.schema.build import build
from lint.schema.load import own_name
from lint.schema.source_tree import NotATree, open_tree
from lint.schema.store import BadSchema, dump, parse
from lint.schema.verify import cases, differences
from tests.schema.trees import VERL, write, write_wheel


def test_a_wheel_and_a_folder_give_the_same_schema_but_for_their_names(tmp_path: Path) -> None:
    folder = build(open_tree(write(tmp_path / "verl", VERL)))
    wheel = build(open_tree(write_wheel(tmp_path / "verl-0.9.1-py3-none-any.whl", VERL)))
    assert (wheel.release, wheel.origin, wheel.date) == ("0.9.1", "verl-0.9.1-py3-none-any.whl", "2026-01-02")
    assert (folder.release, folder.date) == ("0.9.1", None)
    same = replace(folder, origin=wheel.origin, sha256=wheel.sha256, date=wheel.date)
    assert dump(same) == dump(wheel)


def test_holds_entry_points_configs_classes_and_what_is_made_of_them(tmp_path: Path) -> None:
    schema = build(open_tree(write(tmp_path, VERL)))
    assert schema.entry_points["verl.trainer.main_ppo"].config_name == "main"
    assert "actor/plain_actor" in schema.folders["verl/trainer/config"]
    assert set(schema.fields("verl.classes.Actor") or ()) == {"_target_", "lr", "kind", "size"}
    assert schema.is_instantiated("role.actor")
    assert not schema.is_instantiated("role")


def test_the_text_is_the_same_each_time_and_survives_reading(tmp_path: Path) -> None:
    tree = write(tmp_path, VERL)
    text = dump(build(open_tree(tree)))
    assert dump(build(open_tree(tree))) == text
    assert dump(parse(text)) == text


def test_the_hash_covers_what_the_schema_is_read_from(tmp_path: Path) -> None:
    tree = write(tmp_path, VERL)
    before = open_tree(tree).sha256
    write(tree, {"verl/notes.md": "not read", "README.md": "not read"})
    assert open_tree(tree).sha256 == before
    write(tree, {"verl/trainer/config/data/table.yaml": "files: []"})
    assert open_tree(tree).sha256 != before


def test_a_config_file_that_cannot_be_read_is_kept_with_its_fault(tmp_path: Path) -> None:
    bad = {"bad": "a: [", "large": "x:\n" + "- 1\n" * 60_000}
    files = {f"verl/trainer/config/{name}.yaml": text for name, text in bad.items()}
    schema = parse(dump(build(open_tree(write(tmp_path, {**VERL, **files})))))
    folder = schema.folders["verl/trainer/config"]
    assert folder["main"].fault is None
    assert folder["bad"].fault is not None
    assert folder["bad"].fault.message.startswith("verl/trainer/config/bad.yaml:")
    assert folder["bad"].fault.refused
    assert folder["large"].fault is not None
    assert not folder["large"].fault.refused  # by Hydra


def test_real_hydra_composes_the_same(tmp_path: Path) -> None:
    tree = open_tree(write(tmp_path, VERL))
    schema = build(tree)
    assert {case.title for case in cases(schema)} >= {
        "verl/trainer/config main",
        "verl/trainer/config main engine=sharded",
        "verl/trainer/config sharded_main",
    }
    assert list(differences(schema, tree)) == []


def test_a_difference_from_hydra_is_found(tmp_path: Path) -> None:
    tree = open_tree(write(tmp_path, VERL))
    schema = build(tree)
    folder = dict(schema.folders["verl/trainer/config"])
    folder["optim/adam"] = replace(folder["optim/adam"], body={"beta": 0.5})
    wrong = replace(schema, folders={**schema.folders, "verl/trainer/config": folder})
    found = {(difference.key, difference.ours, difference.theirs) for difference in differences(wrong, tree)}
    assert ("role.actor.optim.beta", 0.5, 0.9) in found
    assert any(key == "role.actor.optim.fuse" for key, _, _ in found)


@pytest.mark.parametrize("name", ["nothing", "folder", "text.whl", "empty.whl"])
def test_what_is_no_verl_tree_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "text.whl").write_text("text")
    write_wheel(tmp_path / "empty.whl", {"other/__init__.py": ""})
    with pytest.raises(NotATree, match=name):
        open_tree(tmp_path / name)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 0}', "\x00", '{"format": 2, "release": 1}'])
def test_what_is_no_schema_is_refused(text: str) -> None:
    with pytest.raises(BadSchema):
        parse(text)


def test_the_text_is_plain_json(tmp_path: Path) -> None:
    document = json.loads(dump(build(open_tree(write(tmp_path, VERL)))))
    assert document["entry_points"] == {"verl.trainer.main_ppo": ["verl/trainer/config", "main"]}


def test_names_that_the_code_registers_are_kept(tmp_path: Path) -> None:
    code = {
        "verl/losses.py": '@register_policy_loss("mine")\ndef loss(): ...\n@P.register(\n    "tool"\n)\nclass P: ...',
        "verl/enums.py": 'class Estimator(str, Enum):\n    GRPO = "grpo"\n    other = 1\n',
        "verl/numbers.py": 'OmegaConf.register_new_resolver(\n    "half", lambda number: number / 2)',
        "verl/tracking.py": 'supported_backend = [\n    "wandb",\n    "console",\n]\nname = "not this"',
    }
    schema = build(open_tree(write(tmp_path, {**VERL, **code})))
    assert schema.registered == ("console", "grpo", "half", "mine", "tool", "wandb")
    assert own_name(schema, "mine")
    assert not own_name(schema, "grpo"), "releases register it, too"
    assert not own_name(replace(schema, date="2026-01-02"), "mine"), "a release"
