"""The examples in the docstrings of the whole package."""

import doctest
import inspect
import re
from importlib import import_module
from pkgutil import walk_packages

import pytest

import niwaki

WITHOUT = {"SplitKind", "datasets"}
NOT_PYTHON = ("niwaki._core", "niwaki.__main__")
MODULES = [
    "niwaki",
    *(
        module.name
        for module in walk_packages(niwaki.__path__, "niwaki.")
        if module.name not in NOT_PYTHON
    ),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    """Every example gives what it says."""
    assert doctest.testmod(import_module(name)).failed == 0


@pytest.mark.parametrize("name", sorted({*niwaki.__all__} - WITHOUT))
def test_public_names_have_examples(name: str) -> None:
    """Whatever is offered at the top of the package shows how it is used."""
    documentation = inspect.getdoc(getattr(niwaki, name)) or ""
    assert re.search(r"^Examples\n-+\n", documentation, re.MULTILINE), name
    assert ">>>" in documentation
