"""Launches of other packages: their entry point and config folders, read from the files around a script."""

from __future__ import annotations

from pathlib import Path

from lint.launch.launch import Launch
from lint.launch.primary import config_folders, searched_folders
from lint.schema.schema import Schema


def with_launch_config(schema: Schema, launch: Launch, roots: tuple[Path, ...]) -> Schema:
    """The schema with the entry point and the config folders that a launch names, where one of `roots` holds them.

    `roots` are folders that Python modules lie in: the repository, the folder of the script, the start folder. A
    checkout is one, too.
    """
    known = launch.entry_point in schema.entry_points
    if known and all(folder in schema.folders for folder in config_folders(launch, schema)):
        return schema
    from lint.schema.checkout import with_config_folder, with_entry_point  # reads YAML and Python: seldom needed

    if schema.date is None:
        roots = (*roots, Path(schema.origin))
    schema = with_entry_point(schema, launch.entry_point, roots)
    for folder in config_folders(launch, schema):
        schema = with_config_folder(schema, folder, roots)
    for folder in searched_folders(launch, schema):
        schema = with_config_folder(schema, folder, roots)
    return schema
