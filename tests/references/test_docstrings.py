"""The examples in the docstrings of the plain implementation."""

import doctest
from importlib import import_module
from pkgutil import iter_modules

import pytest

from niwaki import reference

MODULES = [module.name for module in iter_modules(reference.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    """Every example gives what it says."""
    result = doctest.testmod(import_module(f"niwaki.reference.{name}"))
    assert result.attempted > 0
    assert result.failed == 0
