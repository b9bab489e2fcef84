"""Reports and hooks in the hands of the programs that they are for.

    make consumers

Needs the package indexes of Python and npm (and node): that is why the name of this module keeps it out of `make test`.
GitHub's runner, GitLab and reviewdog are not to be had this way; their formats are held by `tests/output`.
"""

from __future__ import annotations

import csv
import html
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[3]
PYTHON = ("check-jsonschema", "junitparser", "pre-commit", "sarif-tools", "zizmor")
NPM = ("@microsoft/sarif-multitool", "@microsoft/sarif-multitool-linux", "danger-plugin-lint-report", "xml-js")

SCRIPT = """\
#!/usr/bin/env bash
set -eu
gen_tp=6
echo 模型 $unset_name
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm actor_rollout_ref.model.path=Qwen/Qwen3-8B \\
    actor_rollout_ref.rollout.tensor_model_parallel_size=$gen_tp data.train_batch_sise="64<&>" trainer.nnodes=2
"""


def run(*command: str | Path, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program and keep what it says."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "GIT_", "GITHUB_"))}
    whole = {**kept, **environment}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=whole)


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment with what Python's index has."""
    environment = tmp_path_factory.mktemp("python")
    assert run(sys.executable, "-m", "venv", environment, folder=environment).returncode == 0
    done = run(environment / "bin/python", "-m", "pip", "install", "--quiet", *PYTHON, folder=environment)
    assert done.returncode == 0, done.stderr
    return environment / "bin"


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what npm has."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not here")
    folder = tmp_path_factory.mktemp("npm")
    done = run("npm", "install", "--no-fund", "--no-audit", *NPM, folder=folder)
    assert done.returncode == 0, done.stderr
    return folder / "node_modules"


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with two scripts, one of them with a name that needs care."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "run.sh").write_text(SCRIPT)
    (folder / "a & b").mkdir()
    (folder / "a & b" / "run <2>.sh").write_text(SCRIPT + "if\n")
    (folder / "clean.sh").write_text("#!/usr/bin/env bash\necho ready\n")
    for command in (("init", "-q"), ("add", "."), ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")):
        assert run("git", *command, folder=folder).returncode == 0
    return folder


def report(project: Path, form: str) -> tuple[Path, list[dict[str, Any]]]:
    """A report in a file, and the findings that it should hold."""
    tool = (sys.executable, "-m", "lint", "check", ".", "--no-cache")
    file = project.parent / f"{project.name}-report-{form}"
    run(*tool, "--format", form, "--output-file", file, folder=project, PYTHONPATH=str(ROOT))
    plain = run(*tool, "--format", "json", folder=project, PYTHONPATH=str(ROOT))
    return file, json.loads(plain.stdout)["findings"]


# ------------------------------------------------------------------------------------------------------------- SARIF


def test_the_validator_of_sarif_finds_no_error_and_no_warning(project: Path, packages: Path, tmp_path: Path) -> None:
    """Its schema and rules, and those that GitHub's code scanning sets."""
    file, _ = report(project, "sarif")
    program = packages / "@microsoft/sarif-multitool-linux/Sarif.Multitool"
    program.chmod(0o755)
    done = run(
        *(program, "validate", file, "--rule-kind", "Sarif;Ghas", "--output", tmp_path / "found.sarif"),
        folder=tmp_path,
        DOTNET_SYSTEM_GLOBALIZATION_INVARIANT="1",
    )
    assert "Analysis completed successfully" in done.stdout, done.stdout + done.stderr
    found = json.loads((tmp_path / "found.sarif").read_text("utf-8-sig"))["runs"][0]["results"]
    assert [one for one in found if one.get("level", "warning") != "note"] == []


def test_the_schema_of_sarif_holds(project: Path, packages: Path, programs: Path) -> None:
    file, _ = report(project, "sarif")
    schema = packages / "@microsoft/sarif-multitool-linux/sarif-2.1.0.json"
    done = run(programs / "check-jsonschema", "--schemafile", schema, file, folder=project)
    assert done.returncode == 0, done.stdout


def test_sarif_tools_counts_the_same_findings(project: Path, programs: Path, tmp_path: Path) -> None:
    file, findings = report(project, "sarif")
    shutil.copy(file, tmp_path / "report.sarif")
    done = run(programs / "sarif", "csv", "--output", tmp_path / "report.csv", "report.sarif", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    with (tmp_path / "report.csv").open(newline="") as file_of_rows:
        rows = list(csv.DictReader(file_of_rows))
    assert sorted((row["Code"], int(row["Line"])) for row in rows) == sorted(
        (one["rule"], one["line"]) for one in findings
    )


# ------------------------------------------------------------------------------------------------ JUnit and checkstyle


def test_junitparser_reads_one_failure_for_each_finding(project: Path, programs: Path) -> None:
    file, findings = report(project, "junit")
    code = (
        "import sys; from junitparser import JUnitXml; found = JUnitXml.fromfile(sys.argv[1])\n"
        "print(sum(bool(case.result) and not case.is_skipped for suite in found for case in suite), found.failures)"
    )
    done = run(programs / "python", "-c", code, file, folder=project)
    assert done.stdout.split() == [str(len(findings)), str(len(findings))], done.stderr


def test_a_reader_of_checkstyle_finds_every_place(project: Path, packages: Path) -> None:
    file, findings = report(project, "checkstyle")
    code = (
        "const {xml2js} = require('xml-js'); const fs = require('fs');\n"
        "const {parseCheckstyle} = require('danger-plugin-lint-report/dist/parse/checkstyle_parser');\n"
        "const found = parseCheckstyle(xml2js(fs.readFileSync(process.argv[1], 'utf8')), '/nowhere/');\n"
        "console.log(JSON.stringify(found.map(one => [one.file, one.line, one.column, one.severity])))"
    )
    done = run("node", "-e", code, file, folder=packages.parent)
    assert done.returncode == 0, done.stderr
    read = [[html.unescape(path), *rest] for path, *rest in json.loads(done.stdout)]  # xml-js leaves `&amp;`
    wanted = [[one["path"], one["line"], one["column"], one["severity"]] for one in findings]
    assert [row for row in wanted if row not in read] == []


# -------------------------------------------------------------------------------------------------- action, hook


def test_the_action_is_valid_and_safe(programs: Path) -> None:
    schema = ("--builtin-schema", "vendor.github-actions")
    checked = run(programs / "check-jsonschema", *schema, ROOT / "action.yml", folder=ROOT)
    assert checked.returncode == 0, checked.stdout
    audited = run(programs / "zizmor", "--offline", ROOT / "action.yml", folder=ROOT)
    assert audited.returncode == 0, audited.stdout


def test_the_steps_of_the_action_annotate_a_project(project: Path, tmp_path: Path) -> None:
    """Each step as the runner starts it: `bash -e` with its inputs in the environment."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    inputs = {name: one.get("default", "") for name, one in action["inputs"].items()}
    inputs |= {"paths": "run.sh clean.sh", "arguments": "--release 0.9.1"}
    done = None
    for step in action["runs"]["steps"]:
        given = {
            name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: inputs[found[1]], text)
            for name, text in step.get("env", {}).items()
        }
        shell = ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c")
        runner = {"RUNNER_TEMP": str(tmp_path), "GITHUB_ACTION_PATH": str(ROOT), "GITHUB_ACTIONS": "true"}
        done = run(*shell, step["run"], folder=project, **runner, **given)
        if step is not action["runs"]["steps"][-1]:
            assert done.returncode == 0, done.stderr
    assert done is not None
    assert done.returncode == 1, done.stderr
    assert "::error title=recipe-lint (unknown-key),file=run.sh,line=6,endLine=6,col=" in done.stdout


def test_pre_commit_runs_the_hook_on_what_is_committed(project: Path, programs: Path, tmp_path: Path) -> None:
    """On a copy of this repository as it stands, which pre-commit clones and installs by itself."""
    source = tmp_path / "recipe-lint"
    source.mkdir()
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", folder=ROOT).stdout.split("\0")
    for name in filter(None, listed):
        if not name.startswith(("tests/", "examples/")) and (ROOT / name).exists():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    for command in (("init", "-q"), ("add", "."), ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")):
        assert run("git", *command, folder=source).returncode == 0
    checked = run(programs / "pre-commit", "validate-manifest", source / ".pre-commit-hooks.yaml", folder=source)
    assert checked.returncode == 0, checked.stdout
    home = {"PRE_COMMIT_HOME": str(tmp_path / "home")}
    tried = run(programs / "pre-commit", "try-repo", source, "recipe-lint", "--all-files", folder=project, **home)
    assert tried.returncode == 1, tried.stdout + tried.stderr
    assert "run.sh:6:" in tried.stdout
    assert "[unknown-key]" in tried.stdout
    clean = ("--files", "clean.sh")
    tried = run(programs / "pre-commit", "try-repo", source, "recipe-lint", *clean, folder=project, **home)
    assert tried.returncode == 0, tried.stdout + tried.stderr
