"""Reads the dataclasses behind `_target_` from source: fields, types, allowed values. Nothing is imported."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from lint.schema.schema import DataClass, Field

ReadModule = Callable[[str], "tuple[str, str] | None"]
"""From a dotted module name to its path in the tree and its text, None if the tree has no such module."""

_PLAIN = {"int": "int", "float": "float", "bool": "bool", "str": "str", "None": "none", "NoneType": "none"}
_LISTS = {"list", "List", "tuple", "Tuple", "set", "Set", "Sequence", "Iterable", "ListConfig"}
_DICTS = {"dict", "Dict", "Mapping", "DictConfig"}


def read_classes(targets: Iterable[str], read_module: ReadModule) -> tuple[dict[str, DataClass], dict[str, str]]:
    """The dataclasses behind `targets` (qualified names) and every class these mention as base or field type.

    The second result maps each target to the qualified name of its definition. Targets that are not dataclasses of
    the tree are left out.
    """
    reader = _Reader(read_module)
    classes: dict[str, DataClass] = {}
    aliases: dict[str, str] = {}
    waiting = sorted(set(targets))
    while waiting:
        name = waiting.pop()
        found = reader.find(name)
        if found is None:
            continue
        module, node = found
        defined = f"{module.name}.{node.name}"
        if defined != name:
            aliases[name] = defined
        if defined in classes:
            continue
        described = reader.describe(module, node)
        if described is not None:
            classes[defined] = described
            waiting.extend(described.bases)
            waiting.extend(kind for field in described.fields.values() for kind in field.types if "." in kind)
    return dict(sorted(classes.items())), dict(sorted(aliases.items()))


class _Module:
    """A parsed module: its classes, and where its other names come from."""

    def __init__(self, name: str, path: str, tree: ast.Module) -> None:
        self.name = name
        self.path = path
        self.classes: dict[str, ast.ClassDef] = {}
        self.imported: dict[str, tuple[str, str]] = {}  # local name -> module, name there
        self.stars: list[str] = []
        package = name if path.endswith("__init__.py") else name.rpartition(".")[0]
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                self.classes[node.name] = node
            elif isinstance(node, ast.ImportFrom):
                origin = _absolute(node, package)
                for alias in node.names:
                    if alias.name == "*":
                        self.stars.append(origin)
                    else:
                        self.imported[alias.asname or alias.name] = (origin, alias.name)


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    base = ".".join(parts[: len(parts) - node.level + 1])
    return f"{base}.{node.module}" if node.module else base


class _Reader:
    def __init__(self, read_module: ReadModule) -> None:
        self.read_module = read_module
        self.module = cache(self._module)

    def _module(self, name: str) -> _Module | None:
        found = self.read_module(name)
        if found is None:
            return None
        path, text = found
        try:
            return _Module(name, path, ast.parse(text))
        except (SyntaxError, ValueError):
            return None

    def find(self, qualified: str) -> tuple[_Module, ast.ClassDef] | None:
        """The class of a qualified name, through re-exports."""
        module, _, name = qualified.rpartition(".")
        return self._find(module, name, frozenset())

    def _find(self, module_name: str, name: str, seen: frozenset[str]) -> tuple[_Module, ast.ClassDef] | None:
        if module_name in seen:
            return None
        module = self.module(module_name)
        if module is None:
            return None
        if name in module.classes:
            return module, module.classes[name]
        if name in module.imported:
            return self._find(*module.imported[name], seen | {module_name})
        for star in module.stars:
            found = self._find(star, name, seen | {module_name})
            if found is not None:
                return found
        return None

    def qualify(self, module: _Module, name: str) -> str | None:
        """The qualified name of the definition of a class that `name` means in `module`."""
        found = self._find(module.name, name, frozenset())
        return None if found is None else f"{found[0].name}.{found[1].name}"

    def describe(self, module: _Module, node: ast.ClassDef) -> DataClass | None:
        """The dataclass, or None if the class is none (an ordinary class takes what its `__init__` takes)."""
        bases = [name for base in node.bases if (name := self.qualify(module, _last_name(base))) is not None]
        decorated = any(_last_name(item) == "dataclass" for item in node.decorator_list)
        if not decorated and not bases:
            return None
        fields = {}
        allowed = dict(_checked_values(node))
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                name = statement.target.id
                if _last_name(statement.annotation) == "ClassVar" or _is_not_init(statement.value):
                    continue
                types, literals = self._types(module, statement.annotation)
                checked = name in allowed or not literals
                fields[name] = Field(tuple(dict.fromkeys(types)), tuple(allowed.get(name, literals)), checked)
        inherited = {name: values for name, values in allowed.items() if name not in fields}
        return DataClass(fields, tuple(bases), inherited, f"{module.path}:{node.lineno}")

    def _types(self, module: _Module, annotation: ast.expr) -> tuple[list[str], list[Any]]:
        """Type names and literal values of an annotation; no type name: anything."""
        if isinstance(annotation, ast.Constant):
            if annotation.value is None:
                return ["none"], []
            if isinstance(annotation.value, str):
                try:
                    return self._types(module, ast.parse(annotation.value, mode="eval").body)
                except SyntaxError:
                    return [], []
        if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
            return self._union(module, [annotation.left, annotation.right])
        name = _last_name(annotation)
        if isinstance(annotation, ast.Subscript):
            inner = annotation.slice
            parts = list(inner.elts) if isinstance(inner, ast.Tuple) else [inner]
            if name == "Optional":
                return self._union(module, [*parts, ast.Constant(None)])
            if name == "Union":
                return self._union(module, parts)
            if name == "Literal":
                values = [part.value for part in parts if isinstance(part, ast.Constant)]
                return sorted({_PLAIN[type(value).__name__] for value in values}), values
        if name in _PLAIN:
            return [_PLAIN[name]], []
        if name in _LISTS:
            return ["list"], []
        if name in _DICTS:
            return ["dict"], []
        qualified = self.qualify(module, name) if name else None
        return ([qualified] if qualified else []), []

    def _union(self, module: _Module, parts: list[ast.expr]) -> tuple[list[str], list[Any]]:
        kinds: list[str] = []
        literals: list[Any] = []
        anything = False
        for part in parts:
            more, values = self._types(module, part)
            anything = anything or not more
            kinds.extend(more)
            literals.extend(values)
        if literals and "none" in kinds:
            literals.append(None)
        return ([] if anything else kinds), literals


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return _last_name(node.func)
    if isinstance(node, ast.Subscript):
        return _last_name(node.value)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _is_not_init(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Call) and any(
        word.arg == "init" and isinstance(word.value, ast.Constant) and word.value.value is False
        for word in value.keywords
    )


def _checked_values(node: ast.ClassDef) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Field and allowed values of every check at the top of `__post_init__` that leaves no other way out:
    `assert self.f in [...]`, and `if self.f not in [...]: raise`; the list may be a local name."""
    for method in node.body:
        if not isinstance(method, ast.FunctionDef) or method.name != "__post_init__":
            continue
        lists: dict[str, tuple[Any, ...]] = {}
        for statement in method.body:
            if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                values = _constants(statement.value, lists)
                if isinstance(statement.targets[0], ast.Name) and values is not None:
                    lists[statement.targets[0].id] = values
            test: ast.expr | None = None
            negated = False
            if isinstance(statement, ast.Assert):
                test = statement.test
            elif isinstance(statement, ast.If) and any(isinstance(line, ast.Raise) for line in statement.body):
                test, negated = statement.test, True
            found = _membership(test, negated, lists)
            if found is not None:
                yield found


def _membership(
    test: ast.expr | None, negated: bool, lists: Mapping[str, tuple[Any, ...]]
) -> tuple[str, tuple[Any, ...]] | None:
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    if not isinstance(test.ops[0], ast.NotIn if negated else ast.In):
        return None
    left = test.left
    if not (isinstance(left, ast.Attribute) and isinstance(left.value, ast.Name) and left.value.id == "self"):
        return None
    values = _constants(test.comparators[0], lists)
    return None if values is None else (left.attr, values)


def _constants(node: ast.expr, lists: Mapping[str, tuple[Any, ...]]) -> tuple[Any, ...] | None:
    if isinstance(node, ast.Name):
        return lists.get(node.id)
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)) and all(isinstance(item, ast.Constant) for item in node.elts):
        return tuple(item.value for item in node.elts if isinstance(item, ast.Constant))
    return None
