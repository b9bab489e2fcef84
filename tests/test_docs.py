"""The pages under docs/ are what code and data say today, and their links lead somewhere."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from docs.generator.__main__ import FOLDER, outdated, pages, write
from docs.generator.commands import commands, panels
from lint.rules.registry import all_rules

ROOT = FOLDER.parent
PAGES = sorted({*ROOT.glob("*.md"), *FOLDER.rglob("*.md"), *ROOT.glob("lint/**/*.md"), *ROOT.glob("examples/**/*.md")})
LINK = re.compile(r"\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)")
SUPPRESSED = re.compile(r"recipe-lint: ignore(?:-file)?\[([^\].]+)\]")
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)


def test_every_page_is_up_to_date() -> None:
    assert not outdated(pages()), "run `make docs`"


def test_every_rule_has_one_section_and_one_line_in_the_list() -> None:
    for rule in all_rules():
        page = (FOLDER / "rules" / f"{rule.group}.md").read_text("utf-8")
        assert page.count(f"\n## {rule.name}\n") == 1
        assert (FOLDER / "rules" / "README.md").read_text("utf-8").count(f"({rule.group}.md#{rule.name})") == 1


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not here")
def test_the_manual_page_is_clean_and_holds_every_option() -> None:
    page = FOLDER / "recipe-lint.1"
    done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-P-cbou", page], capture_output=True, check=True)
    assert not done.stderr
    text = " ".join(done.stdout.decode("utf-8").split())
    for title, command in commands():
        assert f"recipe-lint {title}" in text
        for option in (name for _, group in panels(command) for parameter in group for name in parameter.opts):
            assert option in text or not option.startswith("-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_and_headings_that_exist(page: Path) -> None:
    for path, heading in LINK.findall(CODE.sub("", page.read_text("utf-8"))):
        target = page.parent / path if path else page
        assert target.exists(), f"{page.relative_to(ROOT)} links to {path}"
        if heading:
            assert heading in _anchors(target), f"{page.relative_to(ROOT)} links to {path}#{heading}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_suppressions_shown_name_rules_that_exist(page: Path) -> None:
    known = {rule.name for rule in all_rules()} | {rule.group for rule in all_rules()}
    for names in SUPPRESSED.findall(page.read_text("utf-8")):
        for name in re.split(r",\s*", names):
            assert name in known or re.fullmatch(r"SC\d{4}", name), f"{page.relative_to(ROOT)} suppresses {name}"


def _anchors(page: Path) -> set[str]:
    """The anchors that a forge makes of the headings of a page."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_pages_are_written_and_removed_as_they_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docs.generator.__main__.FOLDER", tmp_path)
    (tmp_path / "README.md").write_text("by hand")
    write({"one.md": "1", "inside/two.md": "2"})
    assert outdated({"one.md": "1", "inside/two.md": "other"}) == ["inside/two.md"]
    write({"inside/two.md": "other"})
    assert not (tmp_path / "one.md").exists()
    assert (tmp_path / "inside" / "two.md").read_text() == "other"
    assert (tmp_path / "README.md").read_text() == "by hand"
