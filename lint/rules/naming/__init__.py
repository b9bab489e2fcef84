"""Names that say something else than the values: files, experiments, paths of one person's machine."""
