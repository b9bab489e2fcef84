"""recipe-lint: a static checker that reads verl launch scripts and says what will fail, and what to write instead."""

__version__ = "0.1.0"
