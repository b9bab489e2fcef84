"""The layers of the parser, each a class built on the one before: see `lint.bash.parser`."""
