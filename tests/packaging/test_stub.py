"""The stub of the compiled core against the core itself."""

import ast
import inspect
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from niwaki import _core

INNERMOST = re.compile(r"\[[^\[\]]*\]|\([^()]*\)")


@pytest.fixture(scope="module")
def stub() -> ast.Module:
    """Read the stub that stands beside the compiled module."""
    path = Path(_core.__file__).parent / "_core.pyi"
    assert path.is_file(), "the compiled core has no stub beside it; build it with CMake"
    return ast.parse(path.read_text(encoding="utf-8"))


def is_public(name: str) -> bool:
    """Return whether a name is for use."""
    return not name.startswith("_") or name == "__init__"


def in_stub(body: list[ast.stmt]) -> dict[str, ast.FunctionDef | ast.ClassDef]:
    """Return the public functions and classes of a stub by name."""
    return {
        entry.name: entry
        for entry in body
        if isinstance(entry, ast.FunctionDef | ast.ClassDef) and is_public(entry.name)
    }


def in_core(holder: ModuleType | type) -> dict[str, Any]:
    """Return the public members of the compiled module or of one of its classes."""
    return {name: entry for name, entry in vars(holder).items() if is_public(name)}


def parameters(definition: ast.FunctionDef) -> list[str]:
    """Return the names of a stub's parameters in order."""
    given = definition.args
    return [entry.arg for entry in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


def said(entry: Any) -> tuple[list[str], str]:
    """Return the names of a compiled function's parameters, and its text, from its docstring."""
    signature, _, text = (entry.__doc__ or "").partition("\n")
    listed = signature.partition("(")[2]
    while (plainer := INNERMOST.sub("", listed)) != listed:
        listed = plainer
    names = [entry.partition(":")[0].strip() for entry in listed.partition(")")[0].split(",")]
    return [name for name in names if name not in ("", "*", "/")], inspect.cleandoc(text)


def compare(written: dict[str, Any], real: dict[str, Any]) -> None:
    """Compare names, parameters and docstrings, class by class."""
    assert sorted(written) == sorted(real)
    for name, definition in written.items():
        entry = real[name]
        if isinstance(definition, ast.ClassDef):
            assert inspect.cleandoc(entry.__doc__ or "") == (ast.get_docstring(definition) or "")
            compare(in_stub(definition.body), in_core(entry))
            continue
        names, text = said(entry)
        if not isinstance(entry, property):
            assert parameters(definition) == names, name
        assert (ast.get_docstring(definition) or "") == text, name


def test_the_stub_is_the_core(stub: ast.Module) -> None:
    """The stub lists exactly the public names, parameters and docstrings of the core."""
    compare(in_stub(stub.body), in_core(_core))
