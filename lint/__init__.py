"""recipe-lint: a static checker that reads verl launch scripts and says what will fail, and what to write instead."""

__version__ = "0.1.0"

PROJECT = "https://github.com/recipe-lint/recipe-lint"
"""Where the tool lives: its pages, and where to report its defects."""
