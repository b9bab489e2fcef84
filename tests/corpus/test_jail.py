"""Real bash in a jail: what it would start is recorded whole, whatever hides what it says."""

from pathlib import Path

import pytest

from tests.corpus.comparing import compare, our_reading
from tests.corpus.deciding import runs, with_decisions
from tests.corpus.jail import can_enter, jail, run

pytestmark = pytest.mark.skipif(not can_enter(), reason="needs Linux with user namespaces")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    tmp_path.chmod(0o777)
    return tmp_path.resolve()


def _alike(tree: Path, **scripts: str) -> bool:
    """Whether real bash and our reading agree on the first way through the script `run`."""
    for name, text in scripts.items():
        (tree / f"{name}.sh").write_text(text)
    ours = our_reading(tree, tree / "run.sh")
    made = runs({}, ours.commands, ours.likely)[0]
    over = {str(tree / each.source.path): with_decisions(each, made, ours.known) for each in ours.files}
    with jail(tree) as inside:
        recorded = run(inside, tree, "run.sh", scripts.values(), over, silent=ours.lacked)
    result = compare(ours, recorded, {})
    return result.alike and result.equal + result.unknown > 0


def test_a_program_that_is_missing_is_recorded_though_its_complaint_is_thrown_away(tree: Path) -> None:
    assert _alike(tree, run="/opt/bin/browser --open a >/dev/null 2>&1 || true\ntrain")


def test_a_script_that_names_its_shell_is_run_by_it(tree: Path) -> None:
    for shell in ("/bin/bash", "/usr/bin/bash", "/usr/bin/env bash"):
        inner = tree / "inner"
        inner.write_text(f"#!{shell}\ntrain --with '{shell}'\n")
        inner.chmod(0o755)
        assert _alike(tree, run="set -e\n./inner\nafterwards"), shell


def test_a_folder_without_a_name_is_the_one_where_a_script_is(tree: Path) -> None:
    assert _alike(tree, run='set -e\ncd "$NOWHERE"\ntrain')


def test_a_missing_file_is_sourced_though_the_complaint_is_thrown_away(tree: Path) -> None:
    assert _alike(tree, run="bash -c 'source /opt/env/activate && train' &>/dev/null")


def test_a_script_is_run_from_another_folder_though_the_complaint_is_thrown_away(tree: Path) -> None:
    assert _alike(tree, run="cd /data/other\nbash inner.sh >/dev/null 2>&1", inner="train")


def test_what_runs_in_the_background_is_recorded_before_it_is_killed(tree: Path) -> None:
    assert _alike(tree, run="serve & pid=$!\ntrain\nkill -9 $pid")


def test_a_condition_that_is_known_at_one_call_is_not_decided_there(tree: Path) -> None:
    run = "bash inner.sh\nbash inner.sh $(wanted) on\nf() { bash inner.sh a on; }\nf"
    assert _alike(tree, run=run, inner='if [[ $2 == on ]]; then train on; else train off; fi\n[[ $1 ]] && train "$1"')


def test_what_a_launcher_starts_is_not_asked_of_bash(tree: Path) -> None:
    assert _alike(tree, run="/opt/env/bin/ray job submit -- /opt/env/bin/python3 -m train >/dev/null 2>&1")
