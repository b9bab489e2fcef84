"""The script as the linter sees it: whether it can be read, and what its comments say to the linter."""
