"""A `${` without its brace, which takes the next one."""

from __future__ import annotations

import pytest

from tests.rules.pipeline import found, lines

LAUNCH = "python3 -m verl.trainer.main_ppo"


@pytest.mark.parametrize(
    ("script", "line", "below"),
    [
        (f'A=1\nB=${{B:-50\nC=3\nrun() {{\n  {LAUNCH} "$@"\n}}\nrun\n', 2, 6),
        (f'{LAUNCH} data.a=${{A:-1 \\\n    data.b="${{B}}" \\\n    data.c=3\nfi() {{ :; }}\n', 1, 4),
        (f"export A=${{B##*/\nexport C=3\n{LAUNCH} a.b=$A '+c.d={{x:1}}' {{}}\n", 1, 3),
        (f'{LAUNCH} "a.b=${{A:-3" \\\n    c.d="${{E}}" \\\n    e.f=1\necho " }}"\n', 1, 4),
    ],
)
def test_the_brace_that_ends_it_is_named(script: str, line: int, below: int) -> None:
    (finding,) = found("brace-missing", script)
    assert lines("brace-missing", script) == [line]
    assert finding.message.startswith(f'this "${{" ends {below - line} lines below, at the "}}" of line {below}:')
    assert [script[one.span.start : one.span.end] for one in finding.related] == ["}"]


@pytest.mark.parametrize(
    "script",
    [
        f"A=${{A:-50}}\nB=3\n{LAUNCH} a.b=$A\n",
        f"A=${{A:-one\n  two}}\n{LAUNCH} a.b=$A\n",  # lines of a text
        f"A=${{A:-$(B=1\nC=2 true)}}\n{LAUNCH} a.b=$A\n",
        f"{LAUNCH} ${{LORA:+a.b=1 \\\n    a.c=2}}\n",  # overrides on a condition
        f"{LAUNCH} ${{LORA:+ \\\n    a.b=1 \\\n    a.c=2}}\n",
    ],
)
def test_values_of_several_lines_may_be_meant(script: str) -> None:
    assert not found("brace-missing", script)
