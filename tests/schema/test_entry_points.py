"""Entry points are found by their decorator, without importing the module."""

import pytest

from lint.schema.entry_points import config_folder, entry_point, module_name
from lint.schema.schema import EntryPoint

MAIN = "import hydra\n{decorator}\ndef main(config):\n    pass\n"


@pytest.mark.parametrize(
    ("decorator", "folder", "name"),
    [
        ('@hydra.main(config_path="config", config_name="ppo", version_base=None)', "a/b/config", "ppo"),
        ('@hydra.main("config", "ppo")', "a/b/config", "ppo"),
        ('@hydra.main(config_path="../shared/config", config_name="ppo")', "a/shared/config", "ppo"),
        ('@hydra.main(config_path="pkg://verl.trainer.config", config_name="ppo")', "verl/trainer/config", "ppo"),
        ("@hydra.main(version_base=None)", "a/b", None),
        ('@first\n@hydra.main(config_path=".", config_name="ppo")\n@last', "a/b", "ppo"),
    ],
)
def test_reads_folder_and_name(decorator: str, folder: str, name: "str | None") -> None:
    found = entry_point("a/b/main.py", "a.b.main", MAIN.format(decorator=decorator))
    assert found == EntryPoint("a.b.main", folder, name)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "import hydra\ndef main(): pass",
        MAIN.format(decorator="@hydra.main(config_path=PATH)"),
        MAIN.format(decorator="@other.main(config_path='x')"),
        "import hydra\n@hydra.main(",
    ],
)
def test_other_modules_are_no_entry_points(text: str) -> None:
    assert entry_point("a/b/main.py", "a.b.main", text) is None


def test_names_modules_by_path() -> None:
    assert module_name("verl/trainer/main_ppo.py") == "verl.trainer.main_ppo"
    assert module_name("verl/trainer/__init__.py") == "verl.trainer"
    assert config_folder("a/b", None) == "a/b"
