"""Path patterns behave as in .gitignore."""

import pytest

from lint.files.globs import ignored, matches


@pytest.mark.parametrize(
    ("pattern", "path", "named"),
    [
        ("*.sh", "run.sh", True),
        ("*.sh", "a/b/run.sh", True),
        ("a/*.sh", "a/run.sh", True),
        ("a/*.sh", "a/b/run.sh", False),
        ("a/**/run.sh", "a/run.sh", True),
        ("a/**/run.sh", "a/b/c/run.sh", True),
        ("a/**", "a/b/c.sh", True),
        ("**/old", "x/old/run.sh", True),
        ("old/", "old/run.sh", True),
        ("old/", "old", False),
        ("/run.sh", "a/run.sh", False),
        ("run?.sh", "run1.sh", True),
        ("run[12].sh", "run3.sh", False),
        ("run[!12].sh", "run3.sh", True),
        ("./a/run.sh", "a/run.sh", True),
        ("a.sh", "aXsh", False),
        ("build", "a/build/run.sh", True),
    ],
)
def test_which_paths_a_pattern_names(pattern: str, path: str, named: bool) -> None:
    assert matches([pattern], path) is named


def test_the_last_pattern_decides() -> None:
    assert ignored(["*.sh", "!keep.sh"], "keep.sh", False) is False
    assert ignored(["!keep.sh", "*.sh"], "keep.sh", False) is True
    assert ignored(["*.py"], "keep.sh", False) is None
