"""What README.md shows is what the tool prints."""

from tests.readme import README, regenerated


def test_every_output_in_the_readme_is_the_real_one() -> None:
    text = README.read_text("utf-8")
    assert regenerated(text) == text, "run `python -m tests.readme` and look at the difference"
