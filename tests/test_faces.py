"""Who may touch what: a module with a leading underscore is its package's own, and the face has what users need."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("bench", "docs", "experiments", "judges", "parsers", "training", "usim")
FACES = sorted({".".join(path.parent.relative_to(ROOT).parts) for path in (ROOT / "usim").glob("*/__init__.py")})


@cache
def tree_of(path: Path) -> ast.AST:
    return ast.parse(path.read_text(encoding="utf-8"))


def named(tree: ast.AST) -> Iterator[str]:
    """The modules that a source imports or names in a string, with the names that it takes from them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_each_class_has_a_name_of_its_own() -> None:
    places: dict[str, list[str]] = {}
    for path in (ROOT / "usim").rglob("*.py"):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert len(places) > 250
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


@pytest.mark.parametrize("folder", FOLDERS)
def test_private_modules_are_named_in_their_package_alone(folder: str) -> None:
    """Tests alone may look inside."""
    paths = list((ROOT / folder).rglob("*.py"))
    assert paths
    for path in paths:
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for name in named(tree_of(path)):
            private = re.match(r"(usim(?:\.[a-z]\w*)*)\._[a-z]\w*(?:\.\w+)*$", name)
            assert private is None or module.startswith(f"{private[1]}."), f"{path}: {name}"


@pytest.mark.parametrize("face", FACES)
def test_a_face_has_what_it_lists(face: str) -> None:
    package = import_module(face)
    names = getattr(package, "__all__", [])
    assert len(names) == len(set(names))
    assert all(hasattr(package, name) for name in names)


def test_libraries_are_loaded_when_they_are_first_used() -> None:
    code = """
import sys, usim.parsing
from usim.text import language_of
print(sorted({"onnxruntime", "tokenizers", "torch", "numba"} & set(sys.modules)))
from usim.measures import align_tokens
print(align_tokens("she see a dogs".split(), "she saw the dog".split()).pairs, language_of("He goes to the school."))
print(sorted({"py3langid", "scipy"} & set(sys.modules)))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == ["[]", "[(0, 0), (1, 1), (2, 2), (3, 3)] en", "[]"]
