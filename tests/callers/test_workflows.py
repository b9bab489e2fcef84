"""The steps of a workflow, and what is given to each."""

from __future__ import annotations

import pytest

from lint.callers.workflows import Step, steps
from lint.text import Source


def read(*lines: str) -> list[Step]:
    return list(steps(Source("w.yml", "\n".join(lines) + "\n")))


def in_job(*lines: str) -> list[Step]:
    """The steps of a job that has these lines."""
    return read("jobs:", "  test:", *(f"    {line}" for line in lines))


def test_a_step_has_the_variables_of_every_level_and_the_innermost_wins() -> None:
    (step,) = read(
        "env: {A: workflow, B: workflow, C: workflow, D: workflow}",
        "jobs:",
        "  test:",
        "    env: {B: job, C: job, D: job}",
        "    container: {image: ubuntu, env: {C: container, D: container}}",
        "    steps:",
        "      - run: bash train.sh",
        "        env: {D: step}",
    )
    assert step.environment == {"A": "workflow", "B": "job", "C": "container", "D": "step"}
    assert (step.job, step.text.text) == ("test", "bash train.sh")


def test_values_are_texts_and_what_a_run_decides_is_not_known() -> None:
    (step,) = in_job("env:", "  ON: true", "  STEPS: 02", "  TOKEN: ${{ secrets.TOKEN }}", "steps:", "  - run: x")
    assert step.environment == {"ON": "true", "STEPS": "02", "TOKEN": None}


@pytest.mark.parametrize(
    ("runs_on", "labels"),
    [
        ("L20x8", ("L20x8",)),
        ("[self-hosted, gpu]", ("self-hosted", "gpu")),
        ("[\"${{ needs.setup.outputs.label || 'L20x8' }}\"]", ("L20x8",)),
        ("{group: big, labels: [a2]}", ("a2",)),
        ("${{ needs.setup.outputs.label }}", ()),
    ],
)
def test_the_labels_of_the_runner_are_those_that_are_written_down(runs_on: str, labels: tuple[str, ...]) -> None:
    (step,) = in_job(f"runs-on: {runs_on}", "steps:", "  - run: x")
    assert step.labels == labels


def test_a_job_with_a_matrix_has_its_steps_once_for_each_row() -> None:
    found = in_job(
        "strategy: {matrix: {engine: [vllm, sglang], include: [{engine: vllm, runner: L20x8}]}}",
        "runs-on: ${{ matrix.runner || 'a3' }}",
        "env: {ENGINE: '${{ matrix.engine }}'}",
        "steps:",
        "  - run: x",
    )
    assert [(step.environment["ENGINE"], step.labels) for step in found] == [
        ("vllm", ("L20x8", "a3")),
        ("sglang", ("a3",)),
    ]


def test_a_matrix_that_is_computed_is_not_known() -> None:
    (step,) = in_job(
        "strategy: {matrix: {engine: '${{ fromJSON(inputs.engines) }}'}}",
        "env: {ENGINE: '${{ matrix.engine }}'}",
        "steps:",
        "  - run: x",
    )
    assert step.environment == {"ENGINE": None}


def test_a_step_runs_in_the_folder_that_is_said_last() -> None:
    found = read(
        "defaults: {run: {working-directory: top}}",
        "jobs:",
        "  test:",
        "    defaults: {run: {working-directory: job}}",
        "    steps:",
        "      - run: x",
        "      - run: x",
        "        working-directory: step",
    )
    assert [step.folder for step in found] == ["job", "step"]


@pytest.mark.parametrize(
    "line", ["shell: python", "shell: pwsh", "if: false", "if: ${{ false }}", "uses: actions/checkout@v4"]
)
def test_steps_that_no_shell_runs_are_left_out(line: str) -> None:
    assert in_job("steps:", "  - name: none", f"    {line}", *(["    run: x"] if "uses" not in line else [])) == []


@pytest.mark.parametrize("shell", ["bash", "sh", "bash -el {0}", "/bin/bash"])
def test_steps_for_bash_and_sh_are_read(shell: str) -> None:
    assert len(in_job("steps:", "  - run: x", f"    shell: {shell}")) == 1


def test_what_a_step_writes_for_later_ones_is_not_known() -> None:
    first, second = in_job("env: {A: '1'}", "steps:", '  - run: echo "A=2" >> "$GITHUB_ENV"', "  - run: x")
    assert (first.environment, second.environment) == ({"A": "1"}, {"A": None})


@pytest.mark.parametrize(
    "lines",
    [
        ["cat >> $GITHUB_ENV <<EOF", "A=2", "EOF"],
        ["{", "  echo 'A<<EOF'", "  cat notes", "  echo EOF", "} >> $GITHUB_ENV"],
    ],
)
def test_what_many_lines_write_for_later_steps_is_not_known(lines: list[str]) -> None:
    block = [f"      {line}" for line in lines]
    _, second = in_job("env: {A: '1'}", "steps:", "  - run: |", *block, "  - run: x")
    assert second.environment["A"] is None


def test_nothing_is_an_empty_text() -> None:
    (step,) = in_job("env: {A: null, B: ~, C: 'null'}", "steps:", "  - run: x")
    assert step.environment == {"A": "", "B": "", "C": "null"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "jobs: 3",
        "jobs: {a: [1]}",
        "jobs: {a: {steps: {run: x}}}",
        "a: [",
        "&a [*a]",
        "jobs: &j {a: *j}",
        "[" * 5000,
    ],
)
def test_what_is_no_workflow_has_no_steps(text: str) -> None:
    assert [step.text.text for step in steps(Source("w.yml", text))] in ([], ["x"])
