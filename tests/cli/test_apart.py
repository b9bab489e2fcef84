"""Options that go together, and those that do not."""

from pathlib import Path

import pytest

from tests.cli.conftest import BROKEN, ONLY, QUIET, SCRIPT, Run

PLUS = SCRIPT.replace("trainer.nnodes", "+trainer.nnodes")
FIXES = ("--no-shellcheck", "--no-cache", "--select", "needless-plus")


@pytest.mark.parametrize(
    ("arguments", "apart"),
    [
        (("--watch", "--fix"), "--watch and --fix"),
        (("--watch", "-"), "--watch and -"),
        (("--releases", "all", "--diff"), "--releases and --diff"),
        (("--releases", "all", "--release", "0.9.0"), "--releases and --release"),
        (("--fix", "--write-baseline", "base.json"), "--write-baseline and --fix"),
        (("--add-ignore", "x", "--unsafe-fixes"), "--add-ignore and --unsafe-fixes"),
        (("--show-files", "--statistics"), "--show-files and --statistics"),
        (("--show-files", "--format", "json"), "--show-files and --format"),
        (("--diff", "--statistics"), "--diff and --statistics"),
        (("--diff", "--format", "json"), "--diff and --format"),
    ],
)
def test_an_option_that_another_would_ignore_is_refused(
    run: Run, folder: Path, arguments: tuple[str, ...], apart: str
) -> None:
    ended = run("check", "run.sh", *QUIET, *ONLY, *arguments, files={"run.sh": BROKEN})
    assert (ended.status, ended.out) == (2, "")
    assert ended.err == f"recipe-lint: {apart} do not go together: leave one of them out\n"
    assert [path.name for path in folder.iterdir()] == ["run.sh"]


def test_a_count_of_findings_is_no_report_for_a_program(run: Run) -> None:
    ended = run("check", "run.sh", *QUIET, "--statistics", "--format", "sarif", files={"run.sh": BROKEN})
    assert (ended.status, ended.out) == (2, "")
    assert ended.err == "recipe-lint: --statistics is shown as text or json, not as sarif\n"


def test_a_patch_can_be_written_to_a_file(run: Run, folder: Path) -> None:
    printed = run("check", "run.sh", *FIXES, "--diff", files={"run.sh": PLUS})
    ended = run("check", "run.sh", *FIXES, "--diff", "-o", "out/fixes.patch")
    assert (ended.status, ended.out) == (1, "")
    assert (folder / "out/fixes.patch").read_text() == printed.out != ""


def test_the_table_of_releases_can_be_written_to_a_file(run: Run, folder: Path) -> None:
    call = ("check", "run.sh", *QUIET, "--releases", "0.9.0,0.9.1")
    printed = run(*call, files={"run.sh": BROKEN})
    assert run(*call, "-o", "table.txt").out == ""
    assert (folder / "table.txt").read_text() == printed.out


def test_a_suppression_is_mended_and_the_rest_fixed_in_one_run(run: Run, folder: Path) -> None:
    comment = "# recipe-lint: ignore[unknown-kee, needless-plus] -- of our fork\n"
    script = BROKEN.replace("trainer.nnodes", "+trainer.nnodes").replace("python3", comment + "python3")
    ended = run("check", "run.sh", *QUIET, *ONLY, "--fix", files={"run.sh": script})
    assert (ended.status, "fixed 1 finding" in ended.err) == (0, True)
    assert (folder / "run.sh").read_text() == script.replace("unknown-kee", "unknown-key")


# ------------------------------------------------------------------------------------------------------ missing input


def test_a_missing_script_is_said_once(run: Run) -> None:
    said = "recipe-lint: nowhere.sh: no such file or folder\n"
    for form in ("text", "concise", "grouped"):
        ended = run("check", "nowhere.sh", "run.sh", *QUIET, *ONLY, "--format", form, files={"run.sh": SCRIPT})
        assert (ended.status, ended.err, "nowhere.sh" in ended.out) == (3, said, False)
    ended = run("check", "nowhere.sh", "run.sh", *QUIET, "--releases", "all")
    assert (ended.status, ended.err, "nowhere.sh" in ended.out) == (3, said, False)


@pytest.mark.parametrize("form", ["json", "github", "gitlab", "sarif", "checkstyle", "junit", "markdown"])
def test_a_report_for_a_program_names_it_too(run: Run, form: str) -> None:
    ended = run("check", "nowhere.sh", *QUIET, *ONLY, "--format", form)
    assert (ended.status, "nowhere.sh" in ended.out) == (3, True)


def test_a_report_in_a_file_names_it_too(run: Run, folder: Path) -> None:
    assert run("check", "nowhere.sh", *QUIET, *ONLY, "-o", "report.txt").status == 3
    assert "nowhere.sh:1: no such file or folder" in (folder / "report.txt").read_text()
