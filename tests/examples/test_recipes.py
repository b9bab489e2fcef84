"""Every recipe behaves in the same way, on any machine."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.examples.conftest import AS_VERL, EXAMPLES, RECIPES, Machine, name, run

SECTIONS = ["user-adjustable", "derived", "NPU environment", "parameters", "launch"]
each_recipe = pytest.mark.parametrize("recipe", RECIPES, ids=name)


def release_of(recipe: Path) -> str:
    """The release of verl that a recipe is for."""
    (release,) = re.findall(r"^# recipe-lint: .*release=(\S+)", recipe.read_text(), re.MULTILINE)
    return str(release)


def words(printed: str) -> list[str]:
    """The argv that a printed command stands for, as bash reads it."""
    script = "print() { printf '%s\\0' \"$@\"; }; print " + printed
    shown = subprocess.run(["/bin/bash", "-c", script], capture_output=True, text=True, check=True).stdout
    return shown.split("\0")[:-1]


# -------------------------------------------------------------------------------------------------------- the text


def test_there_are_recipes() -> None:
    assert len(RECIPES) >= 10


@pytest.mark.parametrize("script", sorted(EXAMPLES.glob("**/*.sh")), ids=name)
def test_bash_shellcheck_and_shfmt_have_nothing_to_say(script: Path) -> None:
    tools = Path(sys.executable).parent
    for command in (["bash", "-n"], [tools / "shellcheck"], [tools / "shfmt", "-d"]):
        result = subprocess.run([*command, script], cwd=EXAMPLES, capture_output=True, text=True)
        assert (result.returncode, result.stdout + result.stderr) == (0, "")


@each_recipe
def test_sections_stand_in_one_order(recipe: Path) -> None:
    found = re.findall(r"^# -{20,} (.*)$", recipe.read_text(), re.MULTILINE)
    assert found == [section for section in SECTIONS if section in found]
    assert {"user-adjustable", "parameters", "launch"} <= set(found)


@each_recipe
def test_the_head_says_what_it_needs(recipe: Path) -> None:
    head = recipe.read_text().split("\nset -", 1)[0]
    for label in ("Hardware:", "Software:", "NPU-hours:", "Sources:", "Try it:", "Change it:"):
        assert f"# {label}" in head
    assert re.search(r"^# recipe-lint: device=\S+ release=\d+\.\d+\.\d+$", head, re.MULTILINE)
    assert "verl " + re.findall(r"release=(\S+)", head)[0] in head


@each_recipe
def test_every_name_of_the_user_block_can_be_set_from_outside(recipe: Path) -> None:
    block = recipe.read_text().split(" user-adjustable\n", 1)[1].split("\n# ---", 1)[0]
    for line in block.splitlines():
        if line:
            assert re.match(r"([A-Z][A-Z0-9_]*)=\$\{\1:-.+\}( +#.*)?$", line), line


# --------------------------------------------------------------------------------------------------------- dry run


@each_recipe
def test_a_dry_run_needs_bash_alone_and_leaves_nothing_behind(recipe: Path, tmp_path: Path) -> None:
    result = run(recipe, folder=tmp_path, environment={"DRY_RUN": "1", "HOME": "/home/user", "PATH": "/nowhere"})
    assert (result.returncode, result.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []


@each_recipe
def test_a_dry_run_prints_the_command_that_runs(recipe: Path, machine: Machine) -> None:
    machine.install("python3", f'{AS_VERL}; printf "%s\\n" "$@" > argv')
    printed = machine.run(recipe, "trainer.project_name=a b", "+x.y=[1,'2']", DRY_RUN="1").stdout
    assert machine.run(recipe, "trainer.project_name=a b", "+x.y=[1,'2']").returncode == 0
    started = (machine.folder / "argv").read_text().splitlines()
    assert words(printed) == ["python3", *started]
    assert started[:2] == ["-m", "verl.trainer.main_ppo"]
    assert started[-2:] == ["trainer.project_name=a b", "+x.y=[1,'2']"]


@each_recipe
def test_a_dry_run_prints_one_override_a_line(recipe: Path, tmp_path: Path) -> None:
    environment = {"DRY_RUN": "1", "HOME": "/home/user", "PATH": os.defpath}
    lines = run(recipe, folder=tmp_path, environment=environment).stdout.splitlines()
    assert lines[0] == "python3 -m verl.trainer.main_ppo \\"
    assert all(len(shlex.split(line.removesuffix("\\"))) == 1 for line in lines[1:])


# ---------------------------------------------------------------------------------------------------------- checks


@each_recipe
@pytest.mark.parametrize(
    ("variable", "said"),
    [("MODEL_PATH", "no model folder"), ("TRAIN_FILE", "no training data"), ("TEST_FILE", "no test data")],
)
def test_a_missing_path_is_one_clear_line(recipe: Path, variable: str, said: str, machine: Machine) -> None:
    result = machine.run(recipe, **{variable: "/nowhere/at all"})
    assert result.returncode == 1
    assert re.fullmatch(rf".*: {said} at {variable}=/nowhere/at all\n", result.stderr)
    assert not (machine.folder / "logs").exists()


@each_recipe
def test_missing_npus_are_one_clear_line(recipe: Path, machine: Machine) -> None:
    (machine.programs / "npu-smi").unlink()
    result = machine.run(recipe)
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert "no Ascend NPU here" in result.stderr


@each_recipe
def test_missing_verl_is_one_clear_line(recipe: Path, machine: Machine) -> None:
    machine.install("python3", 'echo "Traceback: No module named verl" >&2; exit 1')
    result = machine.run(recipe)
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert f"install verl {release_of(recipe)}" in result.stderr


@each_recipe
def test_another_release_of_verl_is_told_and_started_all_the_same(recipe: Path, machine: Machine) -> None:
    machine.install("python3", f"{AS_VERL}; echo started")
    release = release_of(recipe)
    result = machine.run(recipe, VERL="some line of an import\n0.10.0.dev")
    assert (result.returncode, result.stdout) == (0, "started\n")
    assert result.stderr.endswith(f": this is for verl {release}, and here is verl 0.10.0.dev\n")
    assert machine.run(recipe, VERL=release).stderr == ""


@each_recipe
def test_a_log_folder_that_cannot_be_made_is_one_clear_line(recipe: Path, machine: Machine) -> None:
    (machine.folder / "file").write_text("")
    result = machine.run(recipe, LOG_DIR="file/logs", VERL=release_of(recipe))
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert "no log folder can be made at LOG_DIR=file/logs" in result.stderr


# ------------------------------------------------------------------------------------------------------------- log


@each_recipe
def test_the_log_holds_both_streams_and_the_exit_status_is_kept(recipe: Path, machine: Machine) -> None:
    machine.install("python3", f"{AS_VERL}; echo to stdout; echo to stderr >&2; exit 7")
    result = machine.run(recipe, EXPERIMENT_NAME="run", LOG_DIR="some/my logs", VERL=release_of(recipe))
    assert (result.returncode, result.stderr) == (7, "")
    assert sorted((machine.folder / "some/my logs/run.log").read_text().splitlines()) == ["to stderr", "to stdout"]


@each_recipe
def test_a_second_run_keeps_the_log_of_the_first(recipe: Path, machine: Machine) -> None:
    machine.install("python3", f"{AS_VERL}; echo started")
    for _ in range(2):
        machine.run(recipe, EXPERIMENT_NAME="run")
    assert (machine.folder / "logs/run.log").read_text() == "started\n" * 2


def test_at_ctrl_c_the_log_keeps_what_python_says_while_it_ends(machine: Machine) -> None:
    """A terminal sends the signal to the recipe, to Python and to tee alike."""
    told = "sleep 0.2; echo ended; kill $!; exit 130"
    machine.install("python3", f"{AS_VERL}; trap '{told}' INT; echo ready; sleep 1000 >/dev/null 2>&1 & wait")
    log = machine.folder / "logs" / "run.log"
    command = subprocess.Popen(
        ["/bin/bash", str(RECIPES[0])],
        cwd=machine.folder,
        env={**machine.environment, "EXPERIMENT_NAME": "run"},
        start_new_session=True,
        stdout=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while not (log.exists() and "ready" in log.read_text()) and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(command.pid, signal.SIGINT)
    assert command.wait(60) != 0
    assert log.read_text().splitlines() == ["ready", "ended"]


# ----------------------------------------------------------------------------------------------------------- paths


@each_recipe
def test_paths_may_hold_blanks_and_the_folder_may_be_any(recipe: Path, machine: Machine) -> None:
    machine.install("python3", f'{AS_VERL}; printf "%s\\n" "$@" > "$OUT"')
    work = machine.folder / "my work"
    for path in ("models/m", "data", "elsewhere"):
        (work / path).mkdir(parents=True)
    (work / "data/d.parquet").write_bytes(b"")
    paths = {"MODEL_PATH": f"{work}/models/m", "TRAIN_FILE": f"{work}/data/d.parquet"}
    environment = {**machine.environment, **paths, "TEST_FILE": paths["TRAIN_FILE"], "WORK_DIR": str(work)}
    result = run(recipe, folder=work / "elsewhere", environment={**environment, "OUT": str(work / "argv")})
    assert result.returncode == 0, result.stderr
    started = (work / "argv").read_text().splitlines()
    assert f"actor_rollout_ref.model.path={work}/models/m" in started
    assert any(word.startswith(f"trainer.default_local_dir={work}/checkpoints/") for word in started)
