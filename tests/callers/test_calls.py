"""How the workflows of a repository start a script: with which variables and arguments, where, on which runner."""

from __future__ import annotations

from pathlib import Path

import pytest

from lint.callers.calls import Call, calls_of, missing_in
from lint.callers.mentions import mentions, state_of_calls


def repository(folder: Path, run: str, **extra: str) -> Path:
    """A repository with `tests/train.sh`, `other.sh` and one workflow with one step."""
    (folder / ".github/workflows").mkdir(parents=True)
    (folder / "tests").mkdir()
    for name in ("tests/train.sh", "other.sh"):
        (folder / name).write_text("echo\n")
    lines = [f"    {name}: {text}\n" for name, text in extra.items()]
    block = "".join(f"          {line}\n" for line in run.splitlines())
    text = f"jobs:\n  test:\n{''.join(lines)}    steps:\n      - run: |\n{block}"
    (folder / ".github/workflows/w.yml").write_text(text)
    return folder


def calls(root: Path, name: str = "tests/train.sh") -> tuple[Call, ...]:
    return calls_of(str(root / name), str(root))


@pytest.mark.parametrize(
    "run",
    [
        "STEPS=2 bash tests/train.sh a.b=1",
        "export STEPS=2\nbash ./tests/train.sh a.b=1",
        "cd tests\nenv STEPS=2 bash -x train.sh a.b=1",
        "start() { STEPS=2 nohup bash tests/$1 a.b=1; }\nstart train.sh",
        "for script in tests/train.sh; do STEPS=2 bash $script a.b=1 2>&1 | tee log; done",
        "timeout 600 bash -c 'STEPS=2 bash tests/train.sh a.b=1'",
    ],
)
def test_what_reaches_the_script_is_read_through_whatever_starts_it(tmp_path: Path, run: str) -> None:
    (call,) = calls(repository(tmp_path, run))
    assert (call.environment["STEPS"].value, [word.value for word in call.arguments], call.job) == (
        "2",
        ["a.b=1"],
        "test",
    )


def test_a_call_stands_where_it_is_written(tmp_path: Path) -> None:
    root = repository(tmp_path, "ray stop\nSTEPS=2 bash tests/train.sh")
    (call,) = calls(root)
    text = (root / ".github/workflows/w.yml").read_text()
    assert text[call.span.start : call.span.end] == "STEPS=2 bash tests/train.sh"


@pytest.mark.parametrize(
    ("run", "entries", "place"),
    [
        ("ray stop\nSTEPS=2 bash tests/train.sh", "{STEPS: 3}", "STEPS=2"),
        ("export STEPS=2\nbash tests/train.sh", "{STEPS: 3}", "STEPS=2"),
        ("N=2\nSTEPS=$N bash tests/train.sh", "{ÄÖ: ü}", "STEPS=$N"),
        ("STEPS=4 ray stop\nbash tests/train.sh", '{ÄÖ: ü, STEPS: "3" }', 'STEPS: "3"'),
        ("bash tests/train.sh", "{STEPS: '${{ github.sha }}'}", "STEPS: '${{ github.sha }}'"),
        ("bash tests/train.sh", "{N: &n 3, STEPS: *n}", "STEPS"),  # its value stands elsewhere
        ("for STEPS in 1; do export STEPS; bash tests/train.sh; done", "{}", "bash tests/train.sh"),
    ],
)
def test_a_variable_stands_where_it_is_given_a_value(tmp_path: Path, run: str, entries: str, place: str) -> None:
    root = repository(tmp_path, run, env=entries)
    (call,) = calls(root)
    text = (root / ".github/workflows/w.yml").read_text()
    assert text[call.places["STEPS"].start : call.places["STEPS"].end] == place


def test_a_variable_of_an_earlier_step_stands_at_the_call(tmp_path: Path) -> None:
    root = repository(tmp_path, "bash tests/train.sh", env="{STEPS: 3}")
    workflow = root / ".github/workflows/w.yml"
    text = workflow.read_text().replace("steps:\n", 'steps:\n      - run: echo "STEPS=4" >> $GITHUB_ENV\n')
    workflow.write_text(text)
    (call,) = calls(root)
    assert call.places == {"STEPS": call.span}
    assert text[call.span.start : call.span.end] == "bash tests/train.sh"


def test_a_script_that_the_repository_does_not_have_is_found_where_it_is_started(tmp_path: Path) -> None:
    root = repository(tmp_path, "bash tests/train.sh\ncd tests\nbash trian.sh\nbash $FOLDER/other.sh\necho none.sh")
    workflow = root / ".github/workflows/w.yml"
    text = workflow.read_text()
    places = [(text[span.start : span.end], path) for span, path in missing_in(str(workflow), str(root))]
    assert places == [("bash trian.sh", "trian.sh")]


def test_variables_of_the_job_and_its_runner_are_known(tmp_path: Path) -> None:
    root = repository(tmp_path, "bash tests/train.sh", env="{STRATEGY: fsdp2}", **{"runs-on": "L20x8"})
    (call,) = calls(root)
    assert ({name: text.value for name, text in call.environment.items()}, call.labels) == (
        {"STRATEGY": "fsdp2"},
        ("L20x8",),
    )


def test_what_only_a_run_can_tell_is_given_and_not_known(tmp_path: Path) -> None:
    root = repository(
        tmp_path,
        "A=${{ github.sha }} B=$(date) C='${{ github.sha }}' D=$HOME/models/Qwen3-8B bash tests/train.sh $1 $HOME",
    )
    (call,) = calls(root)
    assert {name: text.shown for name, text in call.environment.items()} == {
        "A": "<unknown: an expression of the workflow>",
        "B": "<unknown: output of `date`>",
        "C": "<unknown: an expression of the workflow>",
        "D": "<unknown: value of $HOME>/models/Qwen3-8B",
    }
    assert [word.shown for word in call.arguments] == ["<unknown: value of $HOME>"]


def test_a_matrix_may_name_the_script(tmp_path: Path) -> None:
    matrix = "{matrix: {script: [other.sh, train.sh], engine: [vllm, sglang]}}"
    run = "ENGINE=${{ matrix.engine }} bash tests/${{ matrix.script }}"
    found = calls(repository(tmp_path, run, strategy=matrix))
    assert [call.environment["ENGINE"].value for call in found] == ["vllm", "sglang"]


def test_a_step_may_run_in_another_folder(tmp_path: Path) -> None:
    root = repository(tmp_path, "bash train.sh", defaults="{run: {working-directory: tests}}")
    assert len(calls(root)) == 1


@pytest.mark.parametrize(
    "run", ["# bash tests/train.sh", "echo tests/train.sh", "bash elsewhere/train.sh", "bash other.sh"]
)
def test_a_script_that_is_only_named_is_not_called(tmp_path: Path, run: str) -> None:
    assert calls(repository(tmp_path, run)) == ()


def test_a_script_of_the_same_name_elsewhere_is_another_one(tmp_path: Path) -> None:
    root = repository(tmp_path, "bash tests/train.sh")
    (root / "train.sh").write_text("echo\n")
    assert calls(root, "train.sh") == ()
    assert len(calls(root)) == 1


def test_a_script_may_be_a_link(tmp_path: Path) -> None:
    root = repository(tmp_path, "bash tests/train.sh")
    (root / "tests/train.sh").unlink()
    (root / "tests/train.sh").symlink_to("../other.sh")
    assert len(calls(root)) == 1


def test_only_workflows_that_name_a_script_are_looked_at(tmp_path: Path) -> None:
    root = repository(tmp_path, "bash tests/train.sh")
    (root / ".github/workflows/broken.yml").write_text("a: [\n")
    assert set(mentions(str(root))) == {b"train.sh"}
    assert state_of_calls(str(root / "other.sh"), str(root)) == ""
    assert state_of_calls(str(root / "tests/train.sh"), str(root))


def test_a_repository_without_workflows_has_no_calls(tmp_path: Path) -> None:
    assert calls_of(str(tmp_path / "train.sh"), str(tmp_path)) == ()
