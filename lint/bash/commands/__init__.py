"""Commands: what running each kind of them does to the paths through a script."""
