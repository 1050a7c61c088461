"""Gives the tests the scripts of the experiments folder, which is no part of the package."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest

EXPERIMENTS = Path(__file__).resolve().parents[2] / "experiments"


@pytest.fixture
def compare(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Give experiments/compare.py as a module."""
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    return importlib.import_module("compare")


@pytest.fixture
def jmlr2007_table(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Give experiments/jmlr2007_table.py as a module."""
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    return importlib.import_module("jmlr2007_table")
