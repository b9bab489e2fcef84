"""`check --add-ignore`: what is there is kept silent, with a reason; only what is new is reported from then on."""

from pathlib import Path

import pytest

from tests.cli.conftest import BROKEN, SCRIPT, Run

ONLY = ("--no-shellcheck", "--no-cache", "--select", "unknown-key,tool")


def test_every_finding_that_is_shown_gets_a_suppression(run: Run, folder: Path) -> None:
    ended = run("check", "run.sh", *ONLY, "--add-ignore", "of our fork", files={"run.sh": BROKEN})
    assert (ended.status, ended.err) == (0, "recipe-lint: suppressed 1 finding in 1 script\n")
    assert (folder / "run.sh").read_text() == BROKEN.replace(
        "python3 -m", "# recipe-lint: ignore[unknown-key] -- of our fork\npython3 -m"
    )
    assert run("check", "run.sh", *ONLY).status == 0


def test_errors_and_all_else_get_theirs_at_once(run: Run, folder: Path) -> None:
    script = BROKEN.replace("set -euo pipefail\n", "set -euo pipefail\nls $(pwd)\n")
    chosen = ("--no-cache", "--select", "unknown-key,SC2046")
    ended = run("check", "run.sh", *chosen, "--add-ignore", "x", files={"run.sh": script})
    assert (ended.status, ended.err) == (0, "recipe-lint: suppressed 2 findings in 1 script\n")
    text = (folder / "run.sh").read_text()
    assert "# recipe-lint: ignore[SC2046] -- x\nls" in text
    assert "# recipe-lint: ignore[unknown-key] -- x\npython3" in text


def test_the_patch_of_it_changes_nothing(run: Run, folder: Path) -> None:
    ended = run("check", "run.sh", *ONLY, "--add-ignore", "of our fork", "--diff", files={"run.sh": BROKEN})
    assert ended.status == 1
    assert "+# recipe-lint: ignore[unknown-key] -- of our fork\n" in ended.out
    assert (folder / "run.sh").read_text() == BROKEN


def test_fixes_are_not_applied_beside_it(run: Run, folder: Path) -> None:
    script = SCRIPT.replace("train_batch=64\n", "train_batch=64  # recipe-lint: ignore[unknown-key] -- not needed\n")
    ended = run("check", "run.sh", *ONLY, "--add-ignore", "kept", files={"run.sh": script})
    assert (ended.status, "warning[unused-suppression]" in ended.out) == (1, True)
    assert (folder / "run.sh").read_text() == script


def test_what_makes_no_sense_is_refused(run: Run) -> None:
    files = {"run.sh": BROKEN}
    assert run("check", "run.sh", "--add-ignore", " ", files=files).status == 2
    assert run("check", "run.sh", "--add-ignore", "a\nb").status == 2
    assert run("check", "run.sh", "--add-ignore", "a", "--fix").status == 2
    assert run("check", "-", "--add-ignore", "a", stdin=BROKEN).status == 2


def test_a_reason_cannot_break_out_of_its_comment(run: Run, folder: Path) -> None:
    run("check", "run.sh", *ONLY, "--add-ignore", "x] -- $(rm -rf y) \\", files={"run.sh": BROKEN})
    assert (folder / "run.sh").read_text().count("\n") == BROKEN.count("\n") + 1
    assert run("check", "run.sh", *ONLY).status == 0


def test_a_script_that_may_not_be_written_to_is_left_as_it_is(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plus = SCRIPT.replace("trainer.nnodes", "+trainer.nnodes")
    monkeypatch.setattr("os.access", lambda path, mode: path != "b.sh")  # whoever runs tests as root may write to all
    call = ("check", ".", "--no-shellcheck", "--no-cache", "--select", "needless-plus", "-f", "concise")
    ended = run(*call, "--fix", files={"a.sh": plus, "b.sh": plus, "c.sh": plus})
    assert (ended.status, ended.out.partition(":")[0], ended.out.count("\n")) == (1, "b.sh", 1)
    assert ended.err == (
        "recipe-lint: b.sh: may not be written to, and is left as it is\nrecipe-lint: fixed 2 findings in 2 scripts\n"
    )
    assert [(folder / name).read_text() for name in ("a.sh", "b.sh", "c.sh")] == [SCRIPT, plus, SCRIPT]


def test_a_patch_names_the_file_behind_a_link_once(run: Run, folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "link.sh").symlink_to("../run.sh")
    script = SCRIPT.replace("train_batch_size", "train_batch_sise")
    patch = run("check", ".", *ONLY, "--diff", "--unsafe-fixes", files={"run.sh": script}).out
    assert [line for line in patch.splitlines() if line.startswith("---")] == ["--- a/run.sh"]
