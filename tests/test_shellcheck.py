"""shellcheck beside our own rules: its comments as findings, its failures as gaps."""

import os
import stat
import sys
import time
from pathlib import Path

import pytest

from lint import shellcheck
from lint.checking.examination import Request
from lint.checking.remarks import Remarks
from lint.checking.run import Job, check
from lint.files.cache import Cache
from lint.fixes.fix import edited
from lint.settings import ScriptSettings
from lint.shellcheck import Failure
from lint.text import Source


def found(text: str) -> list[tuple[str, str, str, str]]:
    """Rule, severity, confidence and marked text of what shellcheck says about a script."""
    comments = shellcheck.check_text(text.encode(), "run.sh")
    assert isinstance(comments, list)
    source = Source("run.sh", text)
    return [
        (finding.rule, finding.severity, finding.confidence, text[finding.span.start : finding.span.end])
        for finding in shellcheck.findings(comments, source)
    ]


def test_comments_become_findings_with_exact_places() -> None:
    assert found("#!/bin/bash\nx=$1\n\techo 'é中' $x\n") == [("SC2086", "info", "high", "$x")]
    assert found("#!/bin/bash\nunused=1\n") == [("SC2034", "warning", "high", "unused")]


def test_excluded_codes_stay_out() -> None:
    assert found('echo "$HOME"\n') == []  # SC2148: no shebang
    assert found("#!/bin/bash\nsource ./nowhere.sh\n") == []  # SC1091
    assert all(reason for reason in shellcheck.EXCLUDED.values())


def test_quoted_lines_that_are_joined_are_no_mistake() -> None:
    assert found('#!/bin/bash\nx="[a,"\\\n"b]"\necho "$x"\n') == []
    assert [rule for rule, *_ in found('#!/bin/bash\nx="[\'"a"\']"\necho "$x"\n')] == ["SC2140"]


def test_commas_of_hydra_lists_separate_no_elements() -> None:
    def commas(elements: str) -> list[str]:
        return [rule for rule, *_ in found(f'#!/bin/bash\nx=({elements})\necho "${{x[@]}}"\n') if rule == "SC2054"]

    assert commas("optim.betas=[0.9,0.98] +kwargs={a:1,b:2}") == []
    assert commas('trainer.logger=["console","wandb"] # a, b\n n=1') == []
    assert commas("a, b") == ["SC2054"]
    assert commas("n=1, m=2") == ["SC2054"]


def test_directives_of_shellcheck_are_honoured() -> None:
    assert found("#!/bin/bash\n# shellcheck disable=SC2034\nunused=1\n") == []


def test_its_fix_is_kept_and_not_called_safe() -> None:
    text = "#!/bin/bash\nx=$1\necho $x\n"
    comments = shellcheck.check_text(text.encode(), "run.sh")
    assert isinstance(comments, list)
    fix = shellcheck.findings(comments, Source("run.sh", text))[0].fix
    assert fix is not None
    assert not fix.safe
    assert edited(text, fix.edits) == text.replace("$x", '"$x"')


def test_files_are_asked_about_in_shares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("-rf.sh", "a b.sh", "c.sh"):
        Path(name).write_text("#!/bin/bash\nunused=1\n")
    answers = shellcheck.Running(["-rf.sh", "a b.sh", "c.sh"], 2).answers()
    lists = {path: answer for path, answer in answers.items() if isinstance(answer, list)}
    found = {path: [comment["code"] for comment in answer] for path, answer in lists.items()}
    assert found == {
        "-rf.sh": [2034],
        "a b.sh": [2034],
        "c.sh": [2034],
    }


def test_more_shares_than_jobs_are_asked_about_in_turn(tmp_path: Path) -> None:
    paths = [str(tmp_path / f"{number}.sh") for number in range(2 * shellcheck.BATCH + 1)]
    for path in paths:
        Path(path).write_text("#!/bin/bash\nunused=1\n")
    running = shellcheck.Running(paths, 1)
    answers: dict[str, object] = {}
    while len(answers) < len(paths):
        said = running.advance()
        assert not set(said) & set(answers)
        answers.update(said)
        time.sleep(shellcheck.PAUSE)
    assert running.answers() == {}
    assert all(isinstance(answer, list) and len(answer) == 1 for answer in answers.values())


def test_shares_are_balanced_and_bounded(tmp_path: Path) -> None:
    paths = [str(tmp_path / f"{number}.sh") for number in range(1000)]
    shares = shellcheck.batches(paths, 2)
    assert sorted(path for share in shares for path in share) == sorted(paths)
    assert max(map(len, shares)) <= shellcheck.BATCH


def test_the_users_configuration_holds_and_is_part_of_the_key(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    text = b"#!/bin/bash\nunused=1\n"
    before = shellcheck.key(text, str(script))
    (tmp_path / ".shellcheckrc").write_text("disable=SC2034\n")
    shellcheck.configuration.cache_clear()
    assert shellcheck.key(text, str(script)) != before
    assert shellcheck.check_text(text, str(script)) == []


def test_options_from_the_environment_do_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELLCHECK_OPTS", "--exclude=SC2034 --format=gcc")
    assert found("#!/bin/bash\nunused=1\n")[0][0] == "SC2034"


@pytest.mark.parametrize("body", ["exit 3", "echo '{'", "echo '{}'", "kill -9 $$"])
def test_a_failing_shellcheck_is_a_gap_not_a_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    fake = tmp_path / "shellcheck"
    fake.write_text(f"#!/bin/sh\n{body}\n")
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(shellcheck, "program", lambda: str(fake))
    assert isinstance(shellcheck.check_text(b"x", "run.sh"), Failure)


def test_a_missing_shellcheck_is_a_gap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert shellcheck.check_text(b"x", "run.sh") == Failure("shellcheck is not installed")
    assert shellcheck.Running(["run.sh"], 2).answers() == {"run.sh": Failure("shellcheck is not installed")}


def test_it_can_be_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "shellcheck"
    fake.write_text("#!/bin/sh\nexec sleep 60\n")
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(shellcheck, "program", lambda: str(fake))
    begin = time.monotonic()
    running = shellcheck.Running(["a.sh", "b.sh"], 2)
    time.sleep(0.2)
    running.stop()
    assert running.answers() == dict.fromkeys(("a.sh", "b.sh"), shellcheck.STOPPED)
    assert time.monotonic() - begin < 30


def test_a_script_that_takes_for_ever_is_said_and_the_others_are_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "shellcheck"
    fake.write_text(f"""#!/bin/bash
case "$*" in *slow.sh*) while :; do :; done ;; esac
exec {shellcheck.program()} "$@"
""")
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(shellcheck, "program", lambda: str(fake))
    monkeypatch.setattr(shellcheck, "SECONDS", 1)
    scripts = [str(tmp_path / name) for name in ("a.sh", "slow.sh")]
    for path in scripts:
        Path(path).write_text("#!/bin/bash\nunused=1\n")
    request = Request(ScriptSettings(select=("SC2034",)), ScriptSettings())
    report = check([Job(path, request) for path in scripts], processes=1, cache=Cache(None))
    assert [finding.span.path for finding in report.findings] == scripts[:1]
    assert [(one.span.path, one.reason) for one in report.unchecked] == [(scripts[1], shellcheck.TOO_LONG.reason)]


def test_what_a_rule_of_ours_says_better_is_said_once(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text("#!/bin/bash\nA=(data.a=1 data.b=2)\nunused=1\npython3 -m verl.trainer.main_ppo\n")
    job = Job(str(script), Request(ScriptSettings(), ScriptSettings()))
    report = check([job], processes=1, cache=Cache(None))
    told = {(one.rule, report.sources[str(script)].line(one.span.start)) for one in report.findings}
    assert {("overrides-not-passed", 2), ("SC2034", 3)} <= told
    assert ("SC2034", 2) not in told


def test_files_of_any_name_are_asked_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C")
    names = ["\u6a21.sh", os.fsdecode(b"\xff.sh"), "new\nline.sh", "a\x1b[31m b.sh"]
    for name in names:
        Path(name).write_text("#!/bin/bash\nunused=1\n")
    request = Request(ScriptSettings(select=("SC2034",)), ScriptSettings())
    report = check([Job(name, request) for name in names], processes=2, cache=Cache(None))
    assert sorted(finding.span.path for finding in report.findings) == sorted(names)


def test_what_follows_from_an_open_quote_is_not_said(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text('#!/bin/bash\nset -e\nA=(\n  "$1\n  "$2"\n)\npython3 train.py "${A[@]}" | tee log\n')
    job = Job(str(script), Request(ScriptSettings(), ScriptSettings()))
    report = check([job], processes=1, cache=Cache(None))
    assert [finding.rule for finding in report.findings] == ["syntax-error"]


def test_the_gravest_of_one_place_comes_first(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text(
        '#!/bin/bash\nset -eu\nGEN_TP=2\npython3 -m verl.trainer.main_ppo a.b="${GENTP}" c.d="${GEN_TP}"\n'
    )
    job = Job(str(script), Request(ScriptSettings(select=("shellcheck", "variable-unbound")), ScriptSettings()))
    report = check([job], processes=1, cache=Cache(None))
    assert [finding.rule for finding in report.findings] == ["variable-unbound"]


@pytest.mark.parametrize(
    ("settings", "asked"),
    [
        (ScriptSettings(), True),
        (ScriptSettings(shellcheck=False), False),
        (ScriptSettings(ignore=("shellcheck",)), False),
        (ScriptSettings(ignore=("shellcheck",), select=("SC2086",)), True),
        (ScriptSettings(ignore=("SC2034",)), True),
        (ScriptSettings(select=("batch",)), False),
        (ScriptSettings(severity={"shellcheck": "off"}), False),
        (ScriptSettings(severity={"shellcheck": "off", "SC2086": "info"}), True),
    ],
)
def test_it_is_started_only_if_something_it_says_is_selected(settings: ScriptSettings, asked: bool) -> None:
    remarks = Remarks(Cache(None), 1)
    remarks.ask(Source("run.sh", "#!/bin/bash\necho $1\n"), on_disk=False, settings=settings)
    remarks.start()
    assert bool(remarks.collect()) == asked
