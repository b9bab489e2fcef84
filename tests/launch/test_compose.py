"""Composing launches: Hydra's verdict and config, and what stays unknown."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from lint.bash.reading import Known, Origin, Text, Unknown
from lint.launch.compose import Composition, compose
from lint.launch.config import ABSENT, MISSING, UNKNOWN
from lint.schema.build import build
from lint.schema.checkout import _read_folder
from lint.schema.load import load
from lint.schema.schema import EntryPoint, Schema
from lint.schema.tree import leaves
from lint.text import Span
from tests.launch.witness import ask_hydra, command, launch, random_override
from tests.schema.trees import ENGINES, search_path, write

FOLDER = "verl/trainer/config"
SMALL = Schema(
    release="0.9.1",
    origin="a test",
    sha256="",
    date="2026-01-01",
    entry_points={"verl.trainer.main_ppo": EntryPoint("verl.trainer.main_ppo", FOLDER, "main")},
    folders={FOLDER: dict(search_path(ENGINES).folders[0])},
    classes={},
    aliases={},
)
GROUPS = {"engine": ["plain", "sharded"], "actor": ["plain_actor", "sharded_actor"], "data": ["table", "stream"]}


def composed(*words: str) -> Composition:
    return compose(launch("python3", "-m", "verl.trainer.main_ppo", *words), SMALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("config"), ENGINES)


@pytest.mark.parametrize("seed", range(12))
def test_random_overrides_are_judged_as_hydra_judges_them(seed: int, folder: Path) -> None:
    chance = random.Random(seed)
    keys = [key for key, _ in leaves(composed("trainer.x=1").base)]
    for _ in range(25):
        words = [
            random_override(chance, keys, GROUPS, ["role.actor", "data", "role"]) for _ in range(chance.randint(1, 3))
        ]
        theirs = ask_hydra(folder, "main", words)
        ours = composed(*words)
        assert (ours.tree if ours.rejected is None else None) == theirs.config, (words, theirs.reason, ours.problems)


@pytest.mark.parametrize(
    ("word", "cause", "key"),
    [
        ("trainer.epoch=2", "unknown-key", "trainer.epoch"),
        ("trainer.name.first=a", "unknown-key", "trainer.name.first"),
        ("+trainer.epochs=2", "already-there", "trainer.epochs"),
        ("~trainer.epoch", "not-there", "trainer.epoch"),
        ("~trainer.name", "not-there", "trainer.name"),
        ("~trainer.epochs=2", "other-value", "trainer.epochs"),
        ("trainer={epochs:2,nothing:1}", "unknown-key", "trainer.nothing"),
        ("trainer.logger={a:1}", "not-a-node", "trainer.logger"),
        ("trainer.logger.5=a", "not-a-node", "trainer.logger.5"),
        ("trainer.epochs=1,2", "sweep", "trainer.epochs"),
        ("trainer.epochs=range(3)", "sweep", "trainer.epochs"),
        ("trainer.epochs", "syntax", "trainer.epochs"),
        ("trainer.epochs=[1", "syntax", "trainer.epochs"),
        ("trainer.na me=1", "syntax", "trainer.na me"),
        ("engine=nine", "no-option", "engine"),
        ("optim=adam", "no-group", "optim"),
        ("none@role=x", "not-a-group", "none"),
        ("engine=7", "group-value", "engine"),
        ("++engine=plain", "forced-group", "engine"),
        ("hydra.nothing=1", "hydra", "hydra.nothing"),
        ("trainer.name='${'", "bad-interpolation", "trainer.name"),
    ],
)
def test_names_cause_and_key_of_what_hydra_refuses(word: str, cause: str, key: str) -> None:
    rejected = composed("trainer.epochs=3", word).rejected
    assert rejected is not None
    assert (rejected.cause, rejected.key) == (cause, key)


@pytest.mark.parametrize(
    "word",
    [
        "+trainer.new=1",
        "++trainer.epochs=2",
        "++trainer.new=1",
        "+trainer.name=run",
        "+trainer.logger=[wandb]",
        "+role.actor.kwargs.deep.er=1",
        "trainer.logger.0=wandb",
        "~trainer.epochs",
        "~trainer.epochs=1",
        "trainer={epochs:2}",
        "trainer.epochs=",
        "hydra.run.dir=/tmp/x",
        "hydra.job.chdir=true",
        "hydra/job_logging=disabled",
    ],
)
def test_takes_what_hydra_takes(word: str) -> None:
    assert composed(word).rejected is None


def test_every_mistake_is_named_the_first_as_hydra_would() -> None:
    found = composed("trainer.a=1", "+trainer.epochs=2", "trainer.epochs=1,2").problems
    assert [problem.cause for problem in found] == ["sweep", "unknown-key", "already-there"]


def test_an_override_wins_over_the_default_and_a_later_one_over_an_earlier_one() -> None:
    setting = composed("trainer.epochs=3", "trainer.epochs=4").config.settings["trainer.epochs"]
    assert (setting.value, setting.default) == (4, 1)
    assert setting.override is not None
    assert setting.override.index == 4


def test_a_default_stands_where_nothing_sets_the_key() -> None:
    setting = composed("trainer.epochs=3").config.settings["role.actor.size"]
    assert (setting.value, setting.default, setting.override) == (1, 1, None)


def test_no_default_stands_where_words_that_may_set_anything_are_not_known() -> None:
    launched = launch("python3", "-m", "verl.trainer.main_ppo", "trainer.epochs=3", "words", "role.actor.lr=0.5")
    origin = Origin(Span("run.sh", 0, 0), "substitution")
    words = list(launched.command.words)
    words[4] = Text((Unknown("output of `cat args`", origin, splits=True),))
    found = compose(replace(launched, command=replace(launched.command, words=tuple(words)), other=(4,)), SMALL)
    assert found.partly_known
    settings = found.config.settings
    assert (settings["trainer.epochs"].value, settings["role.actor.lr"].value) == (3, 0.5)
    assert settings["role.actor.steps"].value is UNKNOWN  # it follows trainer.epochs, unless the words say otherwise
    assert settings["role.actor.size"].value is UNKNOWN
    assert found.config.get("role.actor.nothing") is None
    assert not composed("trainer.epochs=3").partly_known


def test_interpolations_follow_the_key_that_is_set() -> None:
    settings = composed("trainer.epochs=3", "role.actor.lr=0.5").config.settings
    assert (settings["role.actor.steps"].value, settings["role.actor.steps"].via) == (3, "trainer.epochs")
    assert settings["role.actor.steps"].default == 1
    assert (settings["role.actor.copy"].value, settings["role.actor.copy"].via) == (0.5, "role.actor.lr")
    assert (settings["role.actor.optim.fuse"].value, settings["role.actor.optim.fuse"].via) == (5, "role.common")


def test_oc_select_falls_back_where_its_key_is_deleted() -> None:
    assert composed("~role.common").config.settings["role.actor.optim.fuse"].value == 7


def test_an_interpolation_that_leads_nowhere_is_unknown() -> None:
    assert composed("~trainer.epochs").config.settings["role.actor.steps"].value is UNKNOWN


def test_interpolations_that_lead_in_a_circle_are_unknown() -> None:
    settings = composed("trainer.name='${trainer.other}'", "+trainer.other='${trainer.name}'").config.settings
    assert settings["trainer.name"].value is UNKNOWN


def test_a_key_that_an_override_adds_has_no_default() -> None:
    assert composed("+trainer.new=1").config.settings["trainer.new"].default is ABSENT


def test_a_value_that_must_be_given_is_missing() -> None:
    assert composed("actor@role.actor=actor").config.settings["role.actor.kind"].value is MISSING


def test_a_dict_as_value_is_the_override_of_the_keys_inside() -> None:
    setting = composed("trainer={epochs:9}").config.settings["trainer.epochs"]
    assert setting.value == 9
    assert setting.override is not None
    assert setting.override.key == "trainer"


@pytest.mark.parametrize(
    "words", [("trainer={epochs:9}", "role.actor.lr=0.5"), ("role.actor=3", "+trainer.new=1"), ("~trainer.epochs",)]
)
def test_a_key_is_set_where_an_override_decides_it_or_a_node_above_it(words: tuple[str, ...]) -> None:
    config = composed(*words).config
    keys = {*config.settings, "trainer.epochs", "role.actor.lr", "role.actor.size", "role.nothing"}
    decided = {key for key in keys if (setting := config.get(key)) is not None and setting.override is not None}
    assert {key for key in keys if config.is_set(key)} == decided
    assert config.given(keys) == decided


def test_the_nodes_that_overrides_speak_of_are_known() -> None:
    assert set(composed("role.actor=3", "trainer={epochs:9}", "role.common=1").config.replaced) == {
        "role.actor",
        "trainer",
    }


def test_a_name_with_a_dot_is_a_key() -> None:
    config = composed("+role.plan={a.b:{c:1},d:2}").config
    assert config.settings["role.plan.a.b.c"].value == 1
    assert {key: setting.value for key, setting in config.settings.items()}["role.plan.d"] == 2


def test_a_null_node_is_a_leaf() -> None:
    config = composed("role.actor=null").config
    assert config.settings["role.actor"].value is None
    assert config.get("role.actor.lr") is None


def test_switching_the_engine_switches_the_keys() -> None:
    assert composed("role.actor.shards=4").rejected is not None
    assert composed("engine=sharded", "role.actor.shards=4").rejected is None
    assert composed("--config-name=sharded_main", "role.actor.shards=4").rejected is None
    assert composed("--config-name", "sharded_main.yaml", "role.actor.shards=4").rejected is None


def test_overrides_of_one_launch_do_not_reach_the_next() -> None:
    composed("trainer.logger.0=wandb", "~data.files.0", "trainer.epochs=9")
    assert composed("trainer.name=x").tree["trainer"]["logger"] == ["console"]
    assert composed("trainer.name=x").tree["data"]["files"] == ["a", "b"]


def test_settings_are_those_of_the_launch_whatever_was_asked_of_others_before() -> None:
    chance = random.Random(7)
    defaults = [key for key, _ in leaves(composed("trainer.x=1").base)]
    for _ in range(150):
        words = [
            random_override(chance, defaults, GROUPS, ["role.actor", "data", "role"])
            for _ in range(chance.randint(1, 3))
        ]
        ours = composed(*words)
        there = dict(leaves(ours.tree))
        for key in {*defaults, *there, "role", "role.nothing"}:
            setting = ours.config.get(key)
            assert (setting is not None) == (key in there), (words, key)
            if setting is not None and "${" not in str(there[key]) and there[key] != "???":
                assert setting.value == there[key], (words, key)


def test_a_wrong_option_leaves_other_keys_to_be_checked_but_not_those_that_it_hides() -> None:
    found = composed("actor@role.actor=nine", "role.actor.x=1", "trainer.x=1").problems
    assert [(problem.cause, problem.key) for problem in found] == [
        ("no-option", "actor@role.actor"),
        ("unknown-key", "trainer.x"),
    ]


def test_an_unknown_config_name_comes_with_those_that_exist() -> None:
    rejected = composed("--config-name=other", "trainer.epochs=2").rejected
    assert rejected is not None
    assert (rejected.cause, rejected.options) == ("no-primary", ("main", "sharded_main"))


def test_a_config_path_counts_from_the_file_of_the_entry_point() -> None:
    assert composed("--config-path=config", "trainer.epochs=2").rejected is None
    assert composed("--config-path=./config", "trainer.epochs=2").rejected is None
    assert composed("--config-path=/anywhere/verl/trainer/config", "trainer.epochs=2").rejected is None
    rejected = composed("--config-path=configs", "trainer.epochs=2").rejected
    assert rejected is not None
    assert rejected.cause == "no-config-folder"


def test_sweeps_are_for_multirun() -> None:
    found = composed("--multirun", "trainer.epochs=1,2")
    assert found.rejected is None
    assert found.config.settings["trainer.epochs"].value is UNKNOWN


def test_a_flag_between_overrides_hides_those_behind_it() -> None:
    found = composed("trainer.epochs=2", "--config-name=main", "trainer.name=x")
    assert [(problem.cause, problem.key) for problem in found.problems] == [("unrecognized-argument", "trainer.name=x")]


def test_a_module_that_a_release_lacks_is_composed_with_the_config_it_starts_from_elsewhere() -> None:
    found = compose(launch("python", "-m", "verl.trainer.main_ppo_sync", "trainer.total_epochs=2"), load("0.9.1"))
    assert found.rejected is None
    assert found.primary is not None
    assert found.primary.missing_module == "verl.trainer.main_ppo_sync"


def test_a_module_that_only_other_releases_have_is_missing() -> None:
    module = "verl.experimental.one_step_off_policy.main_ppo"
    rejected = compose(launch("python", "-m", module, "trainer.x=1"), load("0.6.1")).rejected
    assert rejected is not None
    assert rejected.cause == "no-entry-point"


def test_an_unknown_module_of_verl_is_missing_where_all_trainers_of_a_release_are() -> None:
    rejected = compose(launch("python", "-m", "verl.trainer.ppo_main", "a.b=1"), load("0.9.1")).rejected
    assert rejected is not None
    assert rejected.cause == "no-entry-point"


def test_a_wheel_does_not_tell_of_other_modules() -> None:
    found = compose(launch("python", "-m", "verl.experimental.mine", "a.b=1"), load("0.9.1"))
    assert (found.rejected, found.unchecked) == (None, "the config of verl.experimental.mine is not known")


def test_an_entry_point_of_another_package_is_not_judged() -> None:
    found = compose(launch("python", "-m", "mine.train", "a.b=1"), SMALL)
    assert (found.rejected, found.unchecked) == (None, "the config of mine.train is not known")


# ---------------------------------------------------------------------------------------------------- unknown text

HERE = Origin(Span("script.sh", 0, 1), "literal")


def with_text(*pieces: "Known | Unknown") -> Composition:
    """A launch whose only override is made of these pieces."""
    from dataclasses import replace

    from lint.launch.find import find

    plain = command(["python3", "-m", "verl.trainer.main_ppo", "trainer.epochs=1"])
    words = (*plain.words[:3], Text(pieces))
    found = find(replace(plain, words=words))
    assert found is not None
    return compose(found, SMALL)


def test_an_unknown_value_has_a_known_key() -> None:
    assert with_text(Known("trainer.x=", HERE), Unknown("output of `date`", HERE)).rejected is not None
    found = with_text(Known("trainer.epochs=", HERE), Unknown("output of `date`", HERE))
    assert found.rejected is None
    assert found.config.settings["trainer.epochs"].value is UNKNOWN


def test_a_value_with_an_unset_variable_is_unknown_though_bash_passes_nothing() -> None:
    unset = Origin(Span("script.sh", 0, 1), "unset", "EPOCHS")
    used = Origin(Span("script.sh", 0, 1), "expansion", "EPOCHS", (unset,))
    found = with_text(Known("trainer.epochs=", HERE), Known("", used))
    assert found.rejected is None
    assert found.config.settings["trainer.epochs"].value is UNKNOWN


@pytest.mark.parametrize(("name", "value"), [("NODES", UNKNOWN), ("count", 8)])
def test_a_number_made_of_an_unset_variable_is_unknown_where_a_site_may_set_it(name: str, value: object) -> None:
    place = Span("script.sh", 0, 1)
    operands = (Origin(place, "unset", name), Origin(place, "literal"))
    sum_of_both = Origin(place, "arithmetic", None, operands)
    product = Origin(place, "arithmetic", None, (Origin(place, "expansion", "devices", (sum_of_both,)), operands[1]))
    found = with_text(Known("trainer.epochs=", HERE), Known("8", product))
    assert found.config.settings["trainer.epochs"].value == value


def test_an_unknown_node_hides_the_values_below_it() -> None:
    found = with_text(Known("role.actor=", HERE), Unknown("reason", HERE))
    assert found.config.settings["role.actor.lr"].value is UNKNOWN


def test_an_unknown_key_is_not_judged() -> None:
    found = with_text(Known("trainer.", HERE), Unknown("reason", HERE), Known("=1", HERE))
    assert found.rejected is None


def test_an_unknown_option_leaves_the_launch_unchecked() -> None:
    found = with_text(Known("engine=", HERE), Unknown("reason", HERE))
    assert found.unchecked == "the option of config group engine is not known"


def test_the_schema_of_a_tree_composes_like_its_files(tmp_path: Path) -> None:
    from lint.schema.source_tree import open_tree
    from tests.schema.trees import VERL

    schema = build(open_tree(write(tmp_path, VERL)))
    found = compose(launch("python3", "-m", "verl.trainer.main_ppo", "role.actor.size=2"), schema)
    assert found.rejected is None
    assert found.config.settings["role.actor.size"].value == 2


# --------------------------------------------------------------------------------------------- files that are no YAML


def spoiled(folder: Path, text: str) -> Composition:
    """A launch whose config folder holds a file with that text."""
    write(folder, {**ENGINES, "actor/plain_actor.yaml": text})
    schema = replace(SMALL, folders={FOLDER: dict(_read_folder(folder))})
    return compose(launch("python3", "-m", "verl.trainer.main_ppo"), schema)


@pytest.mark.parametrize("text", ["lr: [1\nx: 2\n", "lr: 1\nlr: 2\n", "lr: 1\n  x: 2\n"])
def test_a_file_that_hydra_cannot_read_is_named_with_its_place(tmp_path: Path, text: str) -> None:
    ours = spoiled(tmp_path, text)
    assert ask_hydra(tmp_path, "main", []).config is None
    assert [problem.cause for problem in ours.problems] == ["unreadable"]
    assert "actor/plain_actor.yaml:" in ours.problems[0].message


def test_a_file_that_only_we_do_not_read_is_a_gap(tmp_path: Path) -> None:
    ours = spoiled(tmp_path, "x:\n" + "- 1\n" * 60_000)
    assert ours.problems == ()
    assert ours.unchecked is not None
