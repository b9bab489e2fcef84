"""The tool as a process: interrupts, closed streams, encodings, homes that are not there."""

import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lint.shellcheck import configuration
from tests.cli.conftest import BROKEN, ONLY, QUIET, SCRIPT, Run


def tool(*arguments: str, start: tuple[str, ...] = ("-m", "lint"), **options: Any) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    usual = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "preexec_fn": hear}
    return subprocess.Popen([sys.executable, *start, *arguments], env=environment, **{**usual, **options})


def hear() -> None:
    """Let signals do what they do in a terminal, also where the tests run under `nohup` or in the background."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def test_an_interrupt_ends_cleanly_with_130(folder: Path) -> None:
    slow = "i=0\nwhile ((i < 9000)); do ((i += 1)); done\n"  # half a second each: the signal comes long before the end
    for number in range(100):
        (folder / f"{number}.sh").write_text(slow + BROKEN)
    process = tool("check", ".", "--jobs", "2", cwd=folder)
    waited_for((folder / ".recipe-lint-cache").exists, process)  # it is at work then
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert b"Traceback" not in said
    assert process.returncode == 130


BUSY = """
import os, sys
from lint import shellcheck
from lint.__main__ import main
shellcheck.program = lambda: os.environ["FAKE"]
main(sys.argv[1:])
"""


def waited_for(condition: Callable[[], object], process: subprocess.Popen[bytes]) -> None:
    """Wait for something that a process does; it must not end before."""
    end = time.monotonic() + 60
    while not condition():
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.02)


def at_work(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[subprocess.Popen[bytes], int]:
    """The tool with a shellcheck at work that never ends, and a pipe that ends when every such shellcheck has ended."""
    pipe = folder / "alive"
    os.mkfifo(pipe)
    alive = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    fake = folder / "shellcheck"
    fake.write_text(f"#!/bin/sh\nexec 3>'{pipe}'\n: >'{folder}/begun'\nexec sleep 1000\n")
    fake.chmod(0o755)
    for number in range(30):
        (folder / f"{number}.sh").write_text(BROKEN)
    monkeypatch.setenv("FAKE", str(fake))
    process = tool("check", ".", "--jobs", "2", "--no-cache", cwd=folder, start=("-c", BUSY))
    waited_for((folder / "begun").exists, process)
    return process, alive


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a name")
@pytest.mark.parametrize(
    ("signals", "status"),
    [
        ((signal.SIGTERM,), 143),
        ((signal.SIGHUP,), 129),
        ((signal.SIGINT,), 130),
        ((signal.SIGINT, signal.SIGINT), None),
        ((signal.SIGKILL,), -signal.SIGKILL),
    ],
)
def test_no_shellcheck_and_no_worker_outlives_the_tool(
    folder: Path, monkeypatch: pytest.MonkeyPatch, signals: tuple[int, ...], status: int | None
) -> None:
    process, alive = at_work(folder, monkeypatch)
    for number in signals:
        process.send_signal(number)
    _, said = process.communicate(timeout=60)  # ends once nobody holds standard output any more
    assert select.select([alive], [], [], 60)[0]
    assert os.read(alive, 1) == b""
    os.close(alive)
    assert b"Traceback" not in said
    assert status is None or process.returncode == status


def test_a_signal_that_the_caller_ignores_stays_ignored(folder: Path) -> None:
    (folder / "a.sh").write_text("i=0\nwhile ((i < 9000)); do ((i += 1)); done\n" + BROKEN)
    process = tool("check", *QUIET, *ONLY, cwd=folder, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    while process.poll() is None:
        process.send_signal(signal.SIGHUP)
        time.sleep(0.05)
    assert process.communicate(timeout=30)[1] == b""
    assert process.returncode == 1


def next_report(process: subprocess.Popen[bytes]) -> list[dict[str, Any]]:
    """The findings of the next report in JSON."""
    assert process.stdout is not None
    patience = threading.Timer(60, process.kill)
    patience.start()
    lines: list[bytes] = []
    while lines[-1:] != [b"}\n"]:
        lines.append(process.stdout.readline())
        assert lines[-1], "no further report"
    patience.cancel()
    found: list[dict[str, Any]] = json.loads(b"".join(lines))["findings"]
    return found


def put(file: Path, text: str) -> None:
    """Write a file in one step: nobody sees half of it."""
    new = file.with_suffix(".new")
    new.write_text(text)
    os.replace(new, file)


def test_a_watch_sees_scripts_settings_and_mistakes_in_them(folder: Path) -> None:
    (folder / "a.sh").write_text(BROKEN)
    settings = folder / "recipe-lint.toml"
    process = tool("check", "--watch", ".", *QUIET, "--select", "unknown-key", "-f", "json", cwd=folder)
    assert process.stderr is not None

    def told() -> list[tuple[str, str]]:
        return [(finding["path"], finding["severity"]) for finding in next_report(process)]

    assert told() == [("a.sh", "error")]
    put(folder / "b.sh", BROKEN)
    assert told() == [("a.sh", "error"), ("b.sh", "error")]
    put(settings, "bogus = 1\n")
    assert b"unknown setting 'bogus'" in process.stderr.readline()
    put(settings, "[severity]\nunknown-key = 'warning'\n")
    assert told() == [("a.sh", "warning"), ("b.sh", "warning")]
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (130, b"")


def test_a_watch_sees_what_a_script_sources_and_who_starts_it(folder: Path) -> None:
    workflows = folder / ".github" / "workflows"
    for made in (folder / ".git", workflows):
        made.mkdir(parents=True)
    (folder / "run.sh").write_text(
        SCRIPT.replace("set -euo pipefail", "set -euo pipefail\n. ./names.sh").replace(
            "rollout.n=4", "rollout.${KEY:-n}=4"
        )
    )
    process = tool("check", "--watch", "run.sh", *QUIET, "--select", "unknown-key", "-f", "json", cwd=folder)

    def told(*keys: str) -> None:
        """Wait until these are told, not always at once: what changes during a check is looked at twice."""
        while [finding["key"].rpartition(".")[2] for finding in next_report(process)] != list(keys):
            pass

    told()
    put(folder / "names.sh", "KEY=enn\n")
    told("enn")
    put(folder / "names.sh", "")
    told()
    step = "on: push\njobs:\n  one:\n    runs-on: x\n    steps:\n      - run: KEY=emm bash run.sh\n"
    put(workflows / "run.yml", step)
    told("emm")
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=30)[1] == b""


def test_a_reader_that_goes_away_is_no_crash(folder: Path) -> None:
    for number in range(60):
        (folder / f"{number}.sh").write_text(BROKEN)
    process = tool("check", ".", *QUIET, *ONLY, cwd=folder)
    assert process.stdout is not None
    process.stdout.close()
    assert b"Traceback" not in process.communicate(timeout=30)[1]


def test_the_version_is_printed_without_loading_the_rest(folder: Path) -> None:
    code = "import sys; from lint.__main__ import main; main(['--version']); print('typer' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == "recipe-lint"
    assert done.stdout.split()[-1] == "False"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
def test_output_that_cannot_be_written_is_said_in_one_line(folder: Path) -> None:
    (folder / "a.sh").write_text(BROKEN)
    with open("/dev/full", "wb") as full:
        process = tool("check", "a.sh", *QUIET, *ONLY, cwd=folder, stdout=full)
        said = process.communicate(timeout=30)[1]
    assert (process.returncode, said) == (2, b"recipe-lint: standard output: No space left on device\n")


def test_a_caller_that_closed_standard_output_still_gets_the_status(folder: Path) -> None:
    (folder / "a.sh").write_text(BROKEN)
    process = tool("check", "a.sh", *QUIET, *ONLY, cwd=folder, stdout=None, preexec_fn=lambda: os.close(1))
    assert process.communicate(timeout=30)[1] == b""
    assert process.returncode == 1


@pytest.mark.parametrize("command", ["check", "show", "memory", "settings"])
def test_what_the_encoding_of_standard_output_lacks_is_shown_as_escapes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    (folder / "模.sh").write_text(SCRIPT.replace("Qwen/Qwen3-8B", "模型"), "utf-8")
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    process = tool(command, "模.sh", cwd=folder)
    out, said = process.communicate(timeout=30)
    assert (process.returncode in (0, 1), b"\\u6a21" in out, said) == (True, True, b"")


def test_where_there_is_no_home_folder_all_goes_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("pwd.getpwuid", lambda identity: {}[identity])
    configuration.cache_clear()
    assert run("check", "run.sh", "--no-cache", files={"run.sh": SCRIPT}).err == ""
