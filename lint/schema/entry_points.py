"""Finds `@hydra.main(config_path=..., config_name=...)` in Python source, without importing it."""

from __future__ import annotations

import ast
import posixpath

from lint.schema.schema import EntryPoint


def entry_point(path: str, module: str, text: str) -> EntryPoint | None:
    """The entry point that a module declares, None if it has no `@hydra.main` (or one that only a run could tell).

    `path` is the file's path in its tree; a relative `config_path` counts from its folder, as Hydra does.
    """
    if "hydra" not in text or "main(" not in text:
        return None
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and _is_hydra_main(decorator.func):
                    return _declared(decorator, path, module)
    return None


def _is_hydra_main(function: ast.expr) -> bool:
    if isinstance(function, ast.Attribute):
        return function.attr == "main" and isinstance(function.value, ast.Name) and function.value.id == "hydra"
    return False


def _declared(call: ast.Call, path: str, module: str) -> EntryPoint | None:
    names = ("config_path", "config_name")
    given: dict[str, ast.expr] = dict(zip(names, call.args, strict=False))
    given.update({word.arg: word.value for word in call.keywords if word.arg in names})
    values: dict[str, str | None] = dict.fromkeys(names)
    for name, value in given.items():
        if not isinstance(value, ast.Constant) or not isinstance(value.value, (str, type(None))):
            return None
        values[name] = value.value
    return EntryPoint(module, config_folder(posixpath.dirname(path), values["config_path"]), values["config_name"])


def config_folder(base: str, config_path: str | None) -> str:
    """The folder that a `config_path` means for a module in the folder `base`; `pkg://a.b` is the folder `a/b`."""
    if config_path is None:
        return base
    if config_path.startswith("pkg://"):
        return config_path.removeprefix("pkg://").replace(".", "/")
    config_path = config_path.removeprefix("file://")
    return posixpath.normpath(posixpath.join(base, config_path))


def module_name(path: str) -> str:
    """`verl/trainer/main_ppo.py` -> `verl.trainer.main_ppo`."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
